/// Bytes of files: plain ones as they are, compressed ones, told by their first bytes, decoded.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "data/decoder.hpp"
#include "data/readers.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

constexpr std::size_t chunk_bytes = 1 << 20;
constexpr int longest_wait_ms = 50; // for input, until should_stop is asked again
/// Not zeroed: a small file would wait for pages that it does not fill.
using Buffer = std::unique_ptr<char[]>;
Buffer make_buffer() { return std::make_unique_for_overwrite<char[]>(chunk_bytes); }

/// Reads a descriptor in chunks.
class PlainFile {
public:
    PlainFile(const std::filesystem::path &file, std::function<bool()> should_stop)
        : name_(display_name(file)), should_stop_(std::move(should_stop)) {
        if (file == "-") return;
        do { // a pipe without a writer waits
            descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
            if (descriptor_ < 0 && errno != EINTR) fail("open", errno);
            if (descriptor_ < 0) ask_whether_to_stop();
        } while (descriptor_ < 0);
    }
    ~PlainFile() {
        if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
    }
    PlainFile(const PlainFile &) = delete;
    PlainFile &operator=(const PlainFile &) = delete;

    /// The next chunk; empty at the end.
    std::string_view next() {
        if (kept_) return std::exchange(kept_, std::nullopt).value();
        return read_upto(0, chunk_bytes);
    }

    /// The first bytes, at least `count` if the file has so many; next() will return them again.
    std::string_view peek(std::size_t count) {
        std::string_view seen = read_upto(0, chunk_bytes);
        while (!seen.empty() && seen.size() < count) { // a pipe may give less than asked for
            const std::string_view more = read_upto(seen.size(), chunk_bytes - seen.size());
            if (more.empty()) break;
            seen = {buffer_.get(), seen.size() + more.size()};
        }
        kept_ = seen;
        return seen;
    }

    [[nodiscard]] const std::string &name() const noexcept { return name_; }

private:
    std::string_view read_upto(std::size_t offset, std::size_t most) {
        for (;;) {
            ask_whether_to_stop();
            // Standard input may wait for ever, but neither the user nor a time limit does.
            if (should_stop_ && !has_input()) continue;
            const ssize_t count = ::read(descriptor_, buffer_.get() + offset, most);
            if (count >= 0) return {buffer_.get() + offset, static_cast<std::size_t>(count)};
            if (errno != EINTR) fail("read", errno);
        }
    }
    /// False after a while, or after a signal, without any. An end or an error is read() to tell.
    [[nodiscard]] bool has_input() const {
        pollfd input{.fd = descriptor_, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&input, 1, longest_wait_ms);
        return ready > 0 || (ready < 0 && errno != EINTR);
    }
    void ask_whether_to_stop() const {
        if (should_stop_ && should_stop_()) throw Interrupted("interrupted while reading", name_);
    }
    [[noreturn]] void fail(const char *action, int error) const {
        throw FileError(
            fmt::format("cannot {} ({})", action, std::generic_category().message(error)), name_);
    }

    std::string name_;
    std::function<bool()> should_stop_;
    int descriptor_ = STDIN_FILENO;
    Buffer buffer_ = make_buffer();
    std::optional<std::string_view> kept_;
};

/// Decompresses a PlainFile.
class CompressedFile {
public:
    CompressedFile(std::shared_ptr<PlainFile> file, std::unique_ptr<Decoder> decoder)
        : file_(std::move(file)), decoder_(std::move(decoder)) {}

    /// The next chunk; empty at the end.
    std::string_view next() {
        while (!ended_) {
            if (input_.empty() && !last_) {
                input_ = file_->next();
                last_ = input_.empty();
            }
            const Decoder::Step step = decoder_->run(input_, last_, {buffer_.get(), chunk_bytes});
            if (step.error != nullptr) fail(step.error);
            input_.remove_prefix(step.consumed);
            ended_ = step.complete && last_;
            if (last_ && !ended_ && step.produced == 0) fail("it ends too early");
            if (step.produced > 0) return {buffer_.get(), step.produced};
        }
        return {};
    }

private:
    [[noreturn]] void fail(const char *why) const {
        throw FileError(fmt::format("damaged compressed file ({})", why), file_->name());
    }

    std::shared_ptr<PlainFile> file_;
    std::unique_ptr<Decoder> decoder_;
    std::string_view input_; ///< read, but not yet decoded
    Buffer buffer_ = make_buffer();
    bool last_ = false, ended_ = false;
};

} // namespace

std::string display_name(const std::filesystem::path &file) {
    if (file.empty()) return "''";
    return file == "-" ? "standard input" : file.string();
}

ByteSource open_bytes(const std::filesystem::path &file, std::function<bool()> should_stop) {
    auto plain = std::make_shared<PlainFile>(file, std::move(should_stop));
    auto decoder = make_decoder(plain->peek(longest_signature));
    if (!decoder) return [plain] { return plain->next(); };
    auto packed = std::make_shared<CompressedFile>(plain, std::move(decoder));
    return [packed] { return packed->next(); };
}

} // namespace hinge0
