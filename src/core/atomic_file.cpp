/// POSIX files: the order write, fsync, close, rename, fsync of the folder is what makes a crash
/// leave the old file or the new one.
#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_bytes = 1 << 16;
constexpr int most_links = 40; // Linux gives up after as many

fs::path folder_of(const fs::path &file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// What the kernel calls the file behind an open descriptor.
fs::path open_file(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// The folder of descriptors is where /dev/stdout and /dev/fd/N lead: what is open there must be
/// written as it is, even when it is a regular file, or output already in it would be lost.
bool is_open_descriptor(const fs::path &file) {
    std::error_code ignored;
    return fs::weakly_canonical(folder_of(file), ignored).native().starts_with("/proc/");
}

} // namespace

AtomicFile::AtomicFile(const fs::path &path) : path_(path), target_(path) {
    struct stat status {};
    bool direct = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    std::error_code ignored;
    for (int links = 0; !direct && links < most_links && fs::is_symlink(target_, ignored);
         ++links) {
        direct = is_open_descriptor(target_);
        target_ = folder_of(target_) / fs::read_symlink(target_, ignored);
    }
    if (direct)
        descriptor_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    else
        create_temporary();
    if (descriptor_ < 0) fail("open", errno);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::create_temporary() {
    if (!target_.has_filename()) fail("create", ENOENT);
    struct stat old {};
    const bool replaces = ::stat(target_.c_str(), &old) == 0;
    // Renaming would get past the write protection of the old file, which its owner meant.
    if (replaces && ::access(target_.c_str(), W_OK) != 0) fail("write", errno);
    descriptor_ = ::open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    nameless_ = descriptor_ >= 0 && ::access(open_file(descriptor_).c_str(), F_OK) == 0;
    if (!nameless_) { // an old kernel, a file system of others, or no /proc to name it by later
        if (descriptor_ >= 0) ::close(descriptor_);
        name_temporary([&](const fs::path &name) {
            descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            return descriptor_ >= 0;
        });
    }
    // Best effort: some file systems have no permissions to keep.
    if (replaces) static_cast<void>(::fchmod(descriptor_, old.st_mode & 0777));
}

template <class Create> void AtomicFile::name_temporary(const Create &create) {
    for (int attempt = 0;; ++attempt) {
        temporary_ = folder_of(target_) / fmt::format(".hinge0-{}-{}.tmp", ::getpid(), attempt);
        if (create(temporary_)) return;
        const int error = errno;
        if (error == EEXIST) continue;
        temporary_.clear();
        fail("create", error);
    }
}

void AtomicFile::write(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= buffer_bytes) flush();
}

void AtomicFile::flush() {
    for (std::string_view rest = buffer_; !rest.empty();) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write", errno);
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    buffer_.clear();
}

void AtomicFile::commit() {
    flush();
    const bool renames = nameless_ || !temporary_.empty();
    if (renames && ::fsync(descriptor_) != 0) fail("sync", errno);
    if (nameless_) // rename replaces a file, giving it its first name does not
        name_temporary([&](const fs::path &name) {
            return ::linkat(AT_FDCWD, open_file(descriptor_).c_str(), AT_FDCWD, name.c_str(),
                            AT_SYMLINK_FOLLOW) == 0;
        });
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail("close", errno);
    if (!renames) return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename", errno);
    temporary_.clear();
    // A folder that may be written but not read cannot be opened, nor be synced.
    const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    const int error = ::fsync(folder) == 0 ? 0 : errno;
    ::close(folder);
    if (error != 0 && error != EINVAL) fail("sync the folder of", error);
}

void AtomicFile::fail(const char *action, int error) const {
    throw FileError(fmt::format("cannot {} ({})", action, std::generic_category().message(error)),
                    path_.string());
}

} // namespace hinge0
