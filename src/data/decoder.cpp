/// Thin wraps of zlib, libbz2 and liblzma.
#include "data/decoder.hpp"

#define ZLIB_CONST
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>

#include <new>

namespace hinge0 {
namespace {

class GzipDecoder final : public Decoder {
public:
    GzipDecoder() {
        constexpr int gzip_with_largest_window = 15 + 16;
        if (inflateInit2(&stream_, gzip_with_largest_window) != Z_OK) throw std::bad_alloc();
    }
    ~GzipDecoder() override { inflateEnd(&stream_); }
    GzipDecoder(const GzipDecoder &) = delete;
    GzipDecoder &operator=(const GzipDecoder &) = delete;

    Step run(std::string_view input, bool, std::span<char> output) override {
        if (complete_ && input.empty()) return {.complete = true};
        if (complete_) inflateReset(&stream_);
        stream_.next_in = reinterpret_cast<const Bytef *>(input.data());
        stream_.avail_in = static_cast<uInt>(input.size());
        stream_.next_out = reinterpret_cast<Bytef *>(output.data());
        stream_.avail_out = static_cast<uInt>(output.size());
        const int status = inflate(&stream_, Z_NO_FLUSH);
        complete_ = status == Z_STREAM_END;
        const bool good = complete_ || status == Z_OK || status == Z_BUF_ERROR; // wants more input
        return {input.size() - stream_.avail_in, output.size() - stream_.avail_out, complete_,
                good ? nullptr : (stream_.msg != nullptr ? stream_.msg : "not gzip data")};
    }

private:
    z_stream stream_{};
    bool complete_ = false;
};

class Bzip2Decoder final : public Decoder {
public:
    Bzip2Decoder() { start(); }
    ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }
    Bzip2Decoder(const Bzip2Decoder &) = delete;
    Bzip2Decoder &operator=(const Bzip2Decoder &) = delete;

    Step run(std::string_view input, bool, std::span<char> output) override {
        if (complete_ && input.empty()) return {.complete = true};
        if (complete_) {
            BZ2_bzDecompressEnd(&stream_);
            start();
        }
        stream_.next_in = const_cast<char *>(input.data()); // only read, says its manual
        stream_.avail_in = static_cast<unsigned>(input.size());
        stream_.next_out = output.data();
        stream_.avail_out = static_cast<unsigned>(output.size());
        const int status = BZ2_bzDecompress(&stream_);
        if (status == BZ_MEM_ERROR) throw std::bad_alloc();
        complete_ = status == BZ_STREAM_END;
        const bool good = complete_ || status == BZ_OK;
        return {input.size() - stream_.avail_in, output.size() - stream_.avail_out, complete_,
                good ? nullptr
                     : (status == BZ_DATA_ERROR_MAGIC ? "not bzip2 data" : "incorrect data check")};
    }

private:
    void start() {
        stream_ = {};
        if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
    }

    bz_stream stream_{};
    bool complete_ = false;
};

class XzDecoder final : public Decoder {
public:
    XzDecoder() {
        constexpr std::uint64_t most_memory = 1 << 30; // xz -9 takes 65 MiB
        if (lzma_stream_decoder(&stream_, most_memory, LZMA_CONCATENATED) != LZMA_OK)
            throw std::bad_alloc();
    }
    ~XzDecoder() override { lzma_end(&stream_); }
    XzDecoder(const XzDecoder &) = delete;
    XzDecoder &operator=(const XzDecoder &) = delete;

    Step run(std::string_view input, bool last, std::span<char> output) override {
        stream_.next_in = reinterpret_cast<const std::uint8_t *>(input.data());
        stream_.avail_in = input.size();
        stream_.next_out = reinterpret_cast<std::uint8_t *>(output.data());
        stream_.avail_out = output.size();
        const lzma_ret status = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
        if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
        const bool complete = status == LZMA_STREAM_END;
        const bool good = complete || status == LZMA_OK || status == LZMA_BUF_ERROR;
        return {input.size() - stream_.avail_in, output.size() - stream_.avail_out, complete,
                good ? nullptr : describe(status)};
    }

private:
    static const char *describe(lzma_ret status) {
        return status == LZMA_MEMLIMIT_ERROR ? "its dictionary is over 1 GiB" : "incorrect xz data";
    }

    lzma_stream stream_ = LZMA_STREAM_INIT;
};

} // namespace

std::unique_ptr<Decoder> make_decoder(std::string_view start) {
    using namespace std::string_view_literals;
    if (start.starts_with("\x1f\x8b"sv)) return std::make_unique<GzipDecoder>();
    if (start.starts_with("\xfd\x37\x7a\x58\x5a\x00"sv)) return std::make_unique<XzDecoder>();
    // "BZh9" alone could be a label: the mark of a first block, or of an empty stream, follows.
    if (!start.starts_with("BZh"sv) || start.size() < longest_signature) return nullptr;
    const std::string_view mark = start.substr(4, 6);
    if (mark == "1AY&SY"sv || mark == "\x17\x72\x45\x38\x50\x90"sv)
        return std::make_unique<Bzip2Decoder>();
    return nullptr;
}

} // namespace hinge0
