/// The program `hinge0`.
#include <fmt/core.h>

#include <string_view>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "commands.hpp"
#include "core/printable.hpp"
#include "report_text.hpp"

namespace {

/// Lets memory that one step gives back serve the next: each new page costs over a microsecond.
/// Large blocks still go back to the system.
void keep_small_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
#endif
}

} // namespace

int main(int argc, char **argv) {
    keep_small_memory();
    if (argc < 2 || std::string_view(argv[1]) != "paper") return hinge0::cli::run(argc, argv);
    try {
        hinge0::cli::become_paper(argv + 1);
    } catch (const std::exception &e) {
        hinge0::cli::say(fmt::format("hinge0: {}\n", hinge0::printable(e.what())));
        return hinge0::cli::Exit::error;
    }
}
