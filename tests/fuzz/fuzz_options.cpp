/// Any options into the command line, in process: the lines of the input are its arguments. What
/// takes long is fixed after them, no path leaves a folder of its own, and the exit status must be
/// one that the documentation knows.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../../apps/hinge0/commands.hpp"

namespace {

namespace fs = std::filesystem;

/// Sends a stream elsewhere, and back at the end.
class Redirected {
public:
    Redirected(int stream, int flags) : stream_(stream), old_(::dup(stream)) {
        const int nowhere = ::open("/dev/null", flags);
        ::dup2(nowhere, stream);
        ::close(nowhere);
    }
    ~Redirected() {
        if (old_ < 0) return;
        ::dup2(old_, stream_);
        ::close(old_);
    }
    Redirected(const Redirected &) = delete;
    Redirected &operator=(const Redirected &) = delete;

private:
    int stream_, old_;
};

/// The current folder, while this lives: a new and empty one.
class OwnFolder {
public:
    OwnFolder() {
        std::string name = (fs::temp_directory_path() / "hinge0-fuzz-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) std::abort();
        folder_ = name;
        fs::current_path(folder_);
    }
    ~OwnFolder() {
        std::error_code ignored;
        fs::current_path(before_, ignored);
        fs::remove_all(folder_, ignored);
    }
    OwnFolder(const OwnFolder &) = delete;
    OwnFolder &operator=(const OwnFolder &) = delete;

private:
    fs::path before_ = fs::current_path(), folder_;
};

void put(const char *name, const char *text) { std::ofstream(name) << text; }

int run(std::vector<std::string> arguments) {
    std::vector<char *> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string &argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    return hinge0::cli::run(static_cast<int>(arguments.size()), argv.data());
}

std::vector<std::string> arguments_of(const std::string &text) {
    std::vector<std::string> arguments{"hinge0"};
    std::istringstream lines(text.substr(0, text.find('\0'))); // no argument holds a zero byte
    for (std::string line; arguments.size() < 40 && std::getline(lines, line);) {
        for (char &c : line)
            if (c == '/') c = '_';
        arguments.push_back(line);
    }
    const std::string command = arguments.size() > 1 ? arguments[1] : "";
    if (command == "train" || command == "tune")
        arguments.insert(arguments.end(), {"--time-limit", "0.1"});
    if (command == "train" || command == "tune" || command == "predict")
        arguments.insert(arguments.end(), {"--threads", "1"});
    if (command == "data") arguments.insert(arguments.end(), {"--samples", "20"});
    return arguments;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const Redirected input(STDIN_FILENO, O_RDONLY), output(STDOUT_FILENO, O_WRONLY),
        words(STDERR_FILENO, O_WRONLY);
    ::unsetenv("HINGE0_DATA");
    const OwnFolder folder;
    put("d", "1 1:1 2:0.5\n-1 1:-1\n1 1:2 2:1\n-1 1:-2 2:0.25\n1 1:-1.5\n");
    put("d.csv", "y,a,b\nyes,1,0.5\nno,-1,0\nyes,2,1\nno,-2,0.25\n");
    if (run({"hinge0", "train", "d", "-C", "9", "--threads", "1", "-q", "-o", "m"}) != 0)
        std::abort();
    const int status = run(arguments_of(std::string(reinterpret_cast<const char *>(data), size)));
    if (status < 0 || status > hinge0::cli::Exit::not_converged) std::abort();
    return 0;
}
