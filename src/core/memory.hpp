#pragma once
/// Memory is asked for before it is taken: a refusal says need, have and what to do instead.
#include <string>

namespace hinge0 {

/// Bytes this process may still take: the least of free memory, control group and rlimit.
[[nodiscard]] double available_memory();

/// Throws OutOfMemory "<purpose> needs 4.1 GiB, 2.0 GiB are available: <advice>" if `need` bytes
/// exceed `limit` (0: available_memory()).
void require_memory(double need, double limit, const std::string &purpose,
                    const std::string &advice);

} // namespace hinge0
