/// hinge0 data: the paper's synthetic sets.
#include <limits>

#include "checks.hpp"
#include "commands.hpp"
#include "hinge0/dataset.hpp"
#include "hinge0/error.hpp"

namespace hinge0::cli {
namespace {

struct SyntheticOptions {
    std::string kind, output = "-";
    bool quiet = false; ///< no effect, there are no words; other commands have it
    Synthetic synthetic;
};

int data_command(const SyntheticOptions &options) {
    Table table;
    try {
        table = options.kind == "moons" ? make_moons(options.synthetic)
                                        : make_circles(options.synthetic);
    } catch (const InvalidInput &e) {
        throw UsageError(e.what());
    }
    write_libsvm(table, options.output);
    return Exit::done;
}

} // namespace

Command add_data(CLI::App &program) {
    auto options = std::make_shared<SyntheticOptions>();
    Synthetic &s = options->synthetic;
    CLI::App *app = program.add_subcommand("data", "make the paper's synthetic data sets");
    app->add_option("KIND", options->kind, "moons or circles")
        ->required()
        ->check(CLI::IsMember({"moons", "circles"}));
    app->add_option("--samples", s.samples, "how many")
        ->transform(whole_number_in(2, std::numeric_limits<Index>::max()))
        ->capture_default_str();
    app->add_option("--noise", s.noise, "standard deviation of the added noise")
        ->capture_default_str();
    app->add_option("--factor", s.factor, "circles: inner radius / outer radius")
        ->capture_default_str();
    app->add_option("--flip", s.flip, "share of all labels that are then flipped, 0 to 1")
        ->capture_default_str();
    app->add_option("--seed", s.seed, "as random_state of scikit-learn's make_moons, make_circles")
        ->transform(whole_number_in(0, std::numeric_limits<std::uint32_t>::max()))
        ->capture_default_str();
    app->add_option("-o,--output", options->output, "LIBSVM text (default: standard output)");
    app->add_flag("-q,--quiet", options->quiet, "no words; there are none, for scripts");
    return {app, [options] { return data_command(*options); }};
}

} // namespace hinge0::cli
