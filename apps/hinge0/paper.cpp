/// hinge0 paper: another program, found beside this one, so that what it needs to draw and compare
/// is not loaded by every other command.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "commands.hpp"
#include "hinge0/error.hpp"

namespace hinge0::cli {

namespace fs = std::filesystem;

void become_paper(char **arguments) {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const fs::path program = self.parent_path() / "hinge0-paper";
    if (error || !fs::exists(program, error))
        throw Error("this build has no hinge0-paper, which `hinge0 paper` starts",
                    program.string());
    // Threads that spin while they wait cost fifteen times the time when other programs want the
    // cores, and OpenMP reads this only at the start of a program.
    ::setenv("OMP_WAIT_POLICY", "passive", 0);
    ::execv(program.c_str(), arguments);
    throw Error("cannot start hinge0-paper (" + std::string(std::strerror(errno)) + ")",
                program.string());
}

} // namespace hinge0::cli
