/// What this build is made of.

#include "core/blas.hpp"
#include "core/instruction_set.hpp"
#include "core/threads.hpp"
#include "hinge0/version.hpp"

namespace hinge0 {

BuildInfo build_info() {
    return {.compiler = "g++ or compatible, version " __VERSION__,
            .blas = blas::description(),
            .instruction_set = std::string(to_string(instruction_set())),
            .threads = thread_count(0)};
}

} // namespace hinge0
