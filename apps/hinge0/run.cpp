/// All of the program but main(): picks the sub-command and turns what goes wrong into one line and
/// an exit status.
#include <fmt/core.h>

#include <new>
#include <sstream>
#include <vector>

#include "checks.hpp"
#include "commands.hpp"
#include "core/printable.hpp"
#include "hinge0/error.hpp"
#include "hinge0/version.hpp"
#include "report_text.hpp"

namespace {

using namespace hinge0::cli;

int fail(int status, const std::string &what) {
    say(fmt::format("hinge0: {}\n", hinge0::printable(what)));
    return status;
}

/// Only for the list of commands: main() starts it before anything is parsed.
Command add_paper(CLI::App &program) {
    CLI::App *app = program.add_subcommand(
        "paper", "the paper's tables and figures: hinge0 paper --help tells more");
    return {app, [] { return int{Exit::usage}; }};
}

int run_chosen(const std::vector<Command> &commands) {
    for (const Command &command : commands)
        if (command.app->parsed()) {
            refuse_empty_values(*command.app);
            return command.run();
        }
    return Exit::usage;
}

} // namespace

int hinge0::cli::run(int argc, char **argv) {
    try {
        CLI::App program{
            "Trains kernel classifiers with the l0-norm hinge loss: every training sample\n"
            "either meets its margin or is given up at a flat price C. Few support vectors,\n"
            "robust against wrong labels, with a certificate that says what was reached.\n\n"
            "A first walk:\n"
            "  hinge0 data moons --flip 0.1 -o moons.libsvm\n"
            "  hinge0 train moons.libsvm -C 2 --gamma 2 -o moons.model\n"
            "  hinge0 verify moons.model moons.libsvm\n"
            "  hinge0 predict moons.model moons.libsvm -o labels.txt\n"};
        program.name("hinge0");
        program.set_version_flag("--version", fmt::format("hinge0 {}", hinge0::version));
        program.require_subcommand(1);
        program.footer(exit_statuses);
        const std::vector<Command> commands{
            add_train(program),    add_tune(program), add_predict(program), add_verify(program),
            add_suspects(program), add_info(program), add_export(program),  add_import(program),
            add_data(program),     add_paper(program)};
        try {
            program.parse(argc, argv);
        } catch (const CLI::Success &e) {
            std::ostringstream text;
            const int status = program.exit(e, text, text);
            write_output(text.str());
            return status;
        } catch (const CLI::ParseError &e) {
            const std::vector<std::string> unknown = program.remaining();
            const std::vector<CLI::App *> chosen = program.get_subcommands();
            const bool named = chosen.empty() && !unknown.empty();
            return fail(
                Exit::usage,
                (named ? "unknown command or option '" + unknown[0] + "'" : std::string(e.what())) +
                    ": see hinge0 " + (chosen.empty() ? "" : chosen[0]->get_name() + " ") +
                    "--help");
        }
        return run_chosen(commands);
    } catch (const UsageError &e) {
        return fail(Exit::usage, e.what());
    } catch (const hinge0::Interrupted &e) {
        return fail(Exit::interrupted, e.what());
    } catch (const std::bad_alloc &) {
        return fail(Exit::error, "out of memory: use fewer rows or a machine with more memory");
    } catch (const std::exception &e) {
        return fail(Exit::error, e.what());
    }
}
