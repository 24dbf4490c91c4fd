#pragma once
/// Files that are there whole or not at all: written under a temporary name, synced, renamed.
#include <filesystem>
#include <string>
#include <string_view>

namespace hinge0 {

/// Nothing is seen under `path` before commit(). Without it, or after an error, the old file is
/// untouched and nothing is left behind: where the file system can, the new file has no name until
/// then, so that even a program that is killed leaves none. A target that is not a regular file (a
/// pipe, a terminal, /dev/null, /dev/stdout) is written directly. Every failure is a FileError
/// naming `path`.
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
    /// Sets temporary_ to a name for which create() succeeds; it fails with errno.
    template <class Create> void name_temporary(const Create &create);
    void flush();
    [[noreturn]] void fail(const char *action, int error) const;

    std::filesystem::path path_;      ///< as the caller named it, for messages
    std::filesystem::path target_;    ///< what the rename replaces: path_ with links followed
    std::filesystem::path temporary_; ///< empty: nothing to remove
    bool nameless_ = false;           ///< the new file has no name yet
    std::string buffer_;
    int descriptor_ = -1;
};

} // namespace hinge0
