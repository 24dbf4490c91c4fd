#pragma once
/// The version of the library that is linked, and what it was built with.
#include <string>

namespace hinge0 {

inline constexpr const char *version = "0.1.0";

struct BuildInfo {
    std::string compiler, blas;
    std::string instruction_set; ///< of the kernel maps on this machine: baseline, x86-64-v3, ...
    int threads = 1;             ///< what "all cores" means here
};
[[nodiscard]] BuildInfo build_info();

} // namespace hinge0
