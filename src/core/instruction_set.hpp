#pragma once
/// Which of the compiled variants of the tile maps this machine can run.
#include <string_view>

namespace hinge0 {

enum class InstructionSet { baseline, x86_64_v3, x86_64_v4 };

[[nodiscard]] inline InstructionSet instruction_set() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
        __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
        __builtin_cpu_supports("avx512cd") != 0)
        return InstructionSet::x86_64_v4;
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
        __builtin_cpu_supports("bmi2") != 0)
        return InstructionSet::x86_64_v3;
#endif
    return InstructionSet::baseline;
}

[[nodiscard]] inline std::string_view to_string(InstructionSet set) {
    switch (set) {
    case InstructionSet::x86_64_v4:
        return "x86-64-v4 (AVX-512)";
    case InstructionSet::x86_64_v3:
        return "x86-64-v3 (AVX2)";
    case InstructionSet::baseline:
        break;
    }
    return "baseline";
}

} // namespace hinge0
