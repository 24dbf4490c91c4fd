#pragma once
/// Files that are there whole or not at all: written under a temporary name, synced, renamed.
#include <filesystem>
#include <string>
#include <string_view>

namespace hinge0 {

/// Nothing is seen under `path` before commit(). Without it, or after an error, the old file is
/// untouched and the temporary is removed. A target that is not a regular file (a pipe, a terminal,
/// /dev/null, /dev/stdout) is written directly. Every failure is a FileError naming `path`.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path &path);
    ~AtomicFile();
    AtomicFile(const AtomicFile &) = delete;
    AtomicFile &operator=(const AtomicFile &) = delete;

    void write(std::string_view bytes);
    /// Flushes, syncs, closes and renames; to be called once, after the last write.
    void commit();

private:
    void create_temporary();
    void flush();
    [[noreturn]] void fail(const char *action, int error) const;

    std::filesystem::path path_;      ///< as the caller named it, for messages
    std::filesystem::path target_;    ///< what the rename replaces: path_ with links followed
    std::filesystem::path temporary_; ///< empty: writing directly, or nothing left to remove
    std::string buffer_;
    int descriptor_ = -1;
};

} // namespace hinge0
