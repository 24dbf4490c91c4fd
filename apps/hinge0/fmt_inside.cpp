/// Stands in for the shared libfmt in a program without shared libraries: what the other sources
/// call is compiled here, from its headers.
#undef FMT_SHARED
#define FMT_HEADER_ONLY
#include <fmt/format.h>

namespace {
using Format = std::string (*)(fmt::string_view, fmt::format_args);
[[gnu::used]] const Format all_that_is_called = &fmt::vformat; // and so what it calls in turn
} // namespace
