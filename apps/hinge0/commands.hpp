#pragma once
/// The sub-commands. Each adds its options to the program and returns what runs it; that returns
/// the exit status.
#include <CLI/CLI.hpp>
#include <functional>
#include <stdexcept>

namespace hinge0::cli {

enum Exit : int { done = 0, error = 1, usage = 2, not_converged = 3, interrupted = 130 };

/// Told at the end of every help page.
inline constexpr const char *exit_statuses =
    "Exit status: 0 done, 1 error, 2 usage, 3 not converged or, of train with --solver exact,\n"
    "not certified as a local minimum (the model is still written), 130 interrupted (the best\n"
    "iterate so far is written).";

/// An option whose value makes no sense: exit status 2.
class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Command {
    CLI::App *app;
    std::function<int()> run;
};

/// All that the program does, but for `paper`; returns the exit status and throws nothing.
[[nodiscard]] int run(int argc, char **argv);

[[nodiscard]] Command add_train(CLI::App &program);
[[nodiscard]] Command add_tune(CLI::App &program);
[[nodiscard]] Command add_predict(CLI::App &program);
[[nodiscard]] Command add_suspects(CLI::App &program);
[[nodiscard]] Command add_verify(CLI::App &program);
[[nodiscard]] Command add_info(CLI::App &program);
[[nodiscard]] Command add_export(CLI::App &program);
[[nodiscard]] Command add_import(CLI::App &program);
[[nodiscard]] Command add_data(CLI::App &program);
/// Replaces this process by hinge0-paper; arguments[0] is "paper". Returns only by throwing.
[[noreturn]] void become_paper(char **arguments);

} // namespace hinge0::cli
