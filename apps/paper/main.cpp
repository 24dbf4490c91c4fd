/// hinge0 paper: the paper's tables and figures, in one folder. Started by `hinge0 paper`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <new>
#include <sstream>

#include "../hinge0/commands.hpp"
#include "../hinge0/report_text.hpp"
#include "core/threads.hpp"
#include "hinge0/error.hpp"
#include "output.hpp"
#include "panels.hpp"

namespace {

using namespace hinge0;
using namespace hinge0::paper;
using Clock = std::chrono::steady_clock;

struct Options {
    std::string part = "all", out;
    int threads = 0;
    bool quiet = false;
};

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What the named part asks of a row.
Wanted wanted_of(const Options &options, const Row &row) {
    const bool all = options.part == "all";
    return {.table = all || options.part == fmt::format("table{}", row.table),
            .losses = all || options.part == "losses"};
}

void study_rows(const Options &options, Run &run) {
    std::size_t asked = 0;
    for (const Row &row : rows()) {
        const Wanted wanted = wanted_of(options, row);
        if (!wanted.table && !wanted.losses) continue;
        ++asked;
        const auto begin = Clock::now();
        const std::optional<Data> data = load(row);
        if (!data) {
            run.left_out.push_back(where_to_get(row));
            cli::say(fmt::format("hinge0: {}\n", run.left_out.back()));
            continue;
        }
        run.studies.push_back(study(row, *data, wanted, options.threads));
        if (!options.quiet)
            cli::say(fmt::format("{:14} {:6.1f} s\n", row.id, seconds_since(begin)));
    }
    if (asked > 0 && run.studies.empty())
        throw FileError("none of the data sets is there", "set HINGE0_DATA, see docs/datasets.md");
}

void draw_figures(const Options &options, Run &run) {
    for (const int figure : {1, 2})
        if (options.part == "all" || options.part == fmt::format("figure{}", figure))
            run.pictures.push_back({figure, draw(panels(figure, options.threads))});
}

int paper_command(const Options &options) {
    const auto begin = Clock::now();
    prepare_folder(options.out);
    Run run{.command = fmt::format("hinge0 paper {} --out {}", options.part, options.out),
            .threads = thread_count(options.threads)};
    study_rows(options, run);
    draw_figures(options, run);
    run.seconds = seconds_since(begin);
    const std::vector<std::string> names = write_all(run, options.out);
    if (!options.quiet)
        cli::say(fmt::format("{} files in {}, {:.1f} s; open {}/index.html\n", names.size(),
                             options.out, run.seconds, options.out));
    return cli::Exit::done;
}

int fail(int status, const std::string &what) {
    cli::say(fmt::format("hinge0: {}\n", what));
    return status;
}

void add_options(CLI::App &program, Options &options) {
    program.name("hinge0 paper");
    program
        .add_option("PART", options.part, "table1, table2, table3, figure1, figure2, losses or all")
        ->check(
            CLI::IsMember({"table1", "table2", "table3", "figure1", "figure2", "losses", "all"}))
        ->capture_default_str();
    program.add_option("--out", options.out, "folder to write to; it is made if it is not there")
        ->required();
    program.add_option("--threads", options.threads, "0: all cores; changes the seconds only")
        ->capture_default_str();
    program.add_flag("-q,--quiet", options.quiet, "say nothing but what went wrong");
    program.footer("The real data sets of Table 3 are looked up in the folders of $HINGE0_DATA; a "
                   "set that\nis missing leaves its row out, with a line that says where to get "
                   "it.\n\nExample:\n  HINGE0_DATA=~/data hinge0 paper all --out paper\n\n"
                   "Exit status: 0 done, 1 error, 2 usage.");
}

} // namespace

int main(int argc, char **argv) {
    try {
        Options options;
        CLI::App program{"The tables and figures of the paper: what it says, what its Algorithm 1 "
                         "gives, what hinge0\ngives, as Markdown, CSV, JSON, SVG, PNG and one HTML "
                         "page."};
        add_options(program, options);
        try {
            program.parse(argc, argv);
            static_cast<void>(thread_count(options.threads));
        } catch (const CLI::Success &e) {
            std::ostringstream text;
            const int status = program.exit(e, text, text);
            cli::write_output(text.str());
            return status;
        } catch (const CLI::ParseError &e) {
            return fail(cli::Exit::usage, fmt::format("{}: see hinge0 paper --help", e.what()));
        } catch (const InvalidInput &e) {
            return fail(cli::Exit::usage, e.what());
        }
        return paper_command(options);
    } catch (const std::bad_alloc &) {
        return fail(cli::Exit::error, "out of memory: use a machine with more memory");
    } catch (const std::exception &e) {
        return fail(cli::Exit::error, e.what());
    }
}
