/// Model files on disk: reading within limits, writing all or nothing.
#include "model/model_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/memory.hpp"
#include "hinge0/error.hpp"
#include "model/model_format.hpp"

namespace hinge0 {
namespace {

void check_size(std::uintmax_t bytes, const std::string &name) {
    if (bytes > max_model_bytes) throw FileError("a model file may have 4 GiB at most", name);
}

[[noreturn]] void fail(const char *action, int error, const std::string &name) {
    throw FileError(fmt::format("cannot {} ({})", action, std::generic_category().message(error)),
                    name);
}

/// A file that would be refused later is better refused now, while the model is still at hand.
template <class AnyModel>
std::string loadable_text(const AnyModel &model, const std::string &name) {
    std::string text = to_text(model);
    try {
        check_size(text.size(), name);
        static_cast<void>(parse_classifier(text, name));
    } catch (const FileError &error) {
        throw InvalidInput("the model could not be loaded again", error.what());
    }
    return text;
}

bool is_model(std::string_view text) { return text.starts_with(model_format::magic); }

void write_text(const std::string &text, const std::filesystem::path &file) {
    AtomicFile out(file);
    out.write(text);
    out.commit();
}

} // namespace

std::string read_bytes(const std::filesystem::path &file, const IsWanted &is_wanted) {
    const std::string name = file.string();
    std::error_code unknown;
    if (std::filesystem::is_directory(file, unknown)) fail("open", EISDIR, name);
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    if (!in) fail("open", errno, name);
    std::string text;
    if (const auto size = std::filesystem::file_size(file, unknown); !unknown) {
        check_size(size, name);
        require_memory(static_cast<double>(size), 0, "reading the model",
                       "use a machine with more memory");
        text.reserve(size);
    }
    std::string chunk(std::size_t{1} << 16, '\0');
    do {
        in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
        text.append(chunk, 0, static_cast<std::size_t>(in.gcount()));
        check_size(text.size(), name);
    } while (in && is_wanted(text));
    if (in.bad()) fail("read", EIO, name);
    return text;
}

std::string checked_text(const Model &model, const std::string &name) {
    return loadable_text(model, name);
}
std::string checked_text(const Classifier &classifier, const std::string &name) {
    return loadable_text(classifier, name);
}

void save(const Model &model, const std::filesystem::path &file) {
    write_text(checked_text(model, file.string()), file);
}
void save(const Classifier &classifier, const std::filesystem::path &file) {
    write_text(checked_text(classifier, file.string()), file);
}

Model load_model(const std::filesystem::path &file) {
    return parse_model(read_bytes(file, is_model), file.string());
}
Classifier load_classifier(const std::filesystem::path &file) {
    return parse_classifier(read_bytes(file, is_model), file.string());
}

} // namespace hinge0
