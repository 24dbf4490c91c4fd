#pragma once
/// Memory is asked for before it is taken: a refusal says need, have and what to do instead.
#include <cstdint>
#include <mutex>
#include <string>

namespace hinge0 {

/// Bytes this process may still take: the least of free memory, control group and rlimit.
[[nodiscard]] double available_memory();

/// Bytes of address space that RLIMIT_AS leaves; infinite without a limit.
[[nodiscard]] double address_space_left();
/// The most memory this process has held, in bytes.
[[nodiscard]] std::int64_t peak_memory();

/// From now on this process returns what it frees to the system at once, instead of keeping it for
/// the next time: slower, but no more is held than is needed.
void return_memory_at_once();

/// Throws OutOfMemory "<purpose> needs 4.1 GiB, 2.0 GiB are available: <advice>" if `need` bytes
/// exceed `limit` (0: available_memory()).
void require_memory(double need, double limit, const std::string &purpose,
                    const std::string &advice);

/// What one run may hold in all. Every part that takes much asks it, on any thread.
class MemoryBudget {
public:
    /// limit = 0: what the machine has available, asked when it matters. `held` bytes are taken
    /// already.
    explicit MemoryBudget(double limit = 0, double held = 0);

    /// False, and nothing taken, if so many bytes more do not fit.
    [[nodiscard]] bool try_take(double bytes);
    /// Throws OutOfMemory if they do not fit.
    void take(double bytes, const std::string &purpose,
              const std::string &advice = "train on fewer rows, or on a machine with more memory");
    void give_back(double bytes) noexcept;
    /// Sets another limit.
    void allow(double limit);
    [[nodiscard]] double left() const;

private:
    [[nodiscard]] double limit() const;

    mutable std::mutex mutex_;
    mutable double limit_; ///< 0: not known yet
    bool given_;           ///< the limit is the user's, not the machine's
    double taken_;
};

/// Bytes that are taken from a budget while this lives.
class MemoryShare {
public:
    MemoryShare(MemoryBudget &budget, double bytes, const std::string &purpose)
        : budget_(budget), bytes_(bytes) {
        budget_.take(bytes, purpose);
    }
    ~MemoryShare() { budget_.give_back(bytes_); }
    MemoryShare(const MemoryShare &) = delete;
    MemoryShare &operator=(const MemoryShare &) = delete;

private:
    MemoryBudget &budget_;
    double bytes_;
};

} // namespace hinge0
