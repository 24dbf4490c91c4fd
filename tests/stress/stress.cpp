/// Random fits through the public interface, each checked: nothing crashes, hangs or throws what it
/// should not, no number is NaN, no certificate is false, a saved model predicts the same bits.
///   stress [--fits N] [--seed S] [--threads T]      fit k has seed S + k
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>

#include "random_case.hpp"

namespace hinge0::stress {
namespace {

/// What the worker leaves for its parent, who counts on where a crash ended it.
struct Ledger {
    std::int64_t fits, certified, confirmed, uncertified, refused, wrong;
    char now[512]; ///< the fit at work
};

struct Arguments {
    std::int64_t fits = 3000, seed = 1, threads = 1;
};

constexpr int most_seconds = 120; ///< of processor time for one fit

std::string describe(const Case &c) {
    const Settings &s = c.settings;
    return fmt::format(
        "{} rows, {} features up to {:.3g}{}{}, {} gamma {:.4g}{} coef0 {:.4g} beta {:.4g} "
        "degree {}, {} C {:.4g} weights {}/{}, {} start {} starts {} iterations {} sigma {:.4g} "
        "tol {:g}",
        c.rows.rows(), c.rows.cols(), c.rows.cwiseAbs().maxCoeff(), c.sparse ? " sparse" : "",
        c.standardise ? " standardised" : "", c.kernel, std::get<double>(c.parameters.gamma),
        c.gamma_from_data ? " (scale instead)" : "", c.parameters.coef0.value_or(0),
        c.parameters.beta, c.parameters.degree, name(c.objective.loss), c.objective.C,
        c.objective.class_weight != std::array{1.0, 1.0} ? "class" : "-",
        c.objective.sample_weight.size() > 0 ? "sample" : "-",
        s.method == Method::exact ? "exact" : "admm", s.start == Start::hinge ? "hinge" : "admm",
        s.starts, s.max_iterations, s.sigma, s.tolerance);
}

struct Trained {
    Dataset data; ///< as the user has it: not scaled
    Fit fit;
};

Trained trained(const Case &c) {
    Samples samples = c.rows;
    if (c.sparse) samples = SparseRows(c.rows.sparseView());
    Dataset data(samples, c.labels);
    Scaling scaling;
    if (c.standardise) {
        scaling = standard_scaling(samples);
        samples = scaled(scaling, samples);
    }
    KernelParameters parameters = c.parameters;
    if (c.gamma_from_data) parameters.gamma = "scale";
    const Kernel kernel = make_kernel(c.kernel, parameters, samples, c.objective.sample_weight);
    Fit fit = train(Dataset(samples, c.labels), kernel, c.objective, c.settings);
    fit.model.scaling = scaling;
    return {std::move(data), std::move(fit)};
}

/// The name of the first number of a fit that is NaN, or empty.
std::string nan_in(const Fit &fit) {
    const Report &r = fit.report;
    const std::pair<const char *, double> numbers[] = {
        {"objective", r.objective},
        {"constant_objective", r.constant_objective},
        {"half_norm_squared", r.half_norm_squared},
        {"bias", r.bias},
        {"train_accuracy", r.train_accuracy},
        {"residuals.stationarity", r.residuals.stationarity},
        {"residuals.balance", r.residuals.balance},
        {"residuals.feasibility", r.residuals.feasibility},
        {"residuals.proximal", r.residuals.proximal},
        {"certificate.stationarity", r.certificate.stationarity},
        {"certificate.balance", r.certificate.balance},
        {"certificate.feasibility", r.certificate.feasibility},
        {"certificate.proximal", r.certificate.proximal},
        {"certificate.gamma", r.certificate.gamma},
        {"certificate.worst_deficit", r.certificate.worst_deficit},
        {"model.bias", fit.model.bias},
        {"model.objective", fit.model.objective},
        {"model.coefficients", fit.model.coefficients.sum()}};
    for (const auto &[what, value] : numbers)
        if (std::isnan(value)) return what;
    return {};
}

bool same_bits(const Vector &a, const Vector &z) {
    return a.size() == z.size() &&
           (a.size() == 0 || std::memcmp(a.data(), z.data(),
                                         static_cast<std::size_t>(a.size()) * sizeof(double)) == 0);
}

/// What is wrong with a fit, or empty.
std::string fault_of(const Trained &t, const Case &c, const std::filesystem::path &file,
                     Ledger &ledger) {
    const auto &[model, report] = t.fit;
    const Samples &samples = t.data.samples();
    if (const std::string number = nan_in(t.fit); !number.empty()) return number + " is NaN";

    const Vector before = decision_function(model, samples, c.settings.threads);
    save(model, file);
    if (!same_bits(before, decision_function(load_model(file), samples, c.settings.threads)))
        return "the saved model decides differently";

    const Verification second = verify(model, t.data, c.objective.sample_weight);
    if (!report.certificate.local_minimum) {
        ++ledger.uncertified;
        return {};
    }
    ++ledger.certified;
    const Certificate &v = second.certificate;
    if (!v.local_minimum)
        return fmt::format(
            "false certificate: verify finds stationarity {:.3g}, balance {:.3g}, "
            "feasibility {:.3g}, proximal {:.3g}, worst deficit {:.3g}, half norm {:.3g}",
            v.stationarity, v.balance, v.feasibility, v.proximal, v.worst_deficit,
            second.half_norm_squared);
    const double larger = std::max(std::abs(report.objective), std::abs(second.objective));
    if (!(std::abs(report.objective - second.objective) <= 1e-6 * larger))
        return fmt::format("objective {:.17g}, verify finds {:.17g}", report.objective,
                           second.objective);
    ++ledger.confirmed;
    return {};
}

bool is_one_line(std::string_view message) {
    return !message.empty() && message.find('\n') == std::string_view::npos;
}

/// Rows of weight 0 are as new to a model as those of any other file.
bool trains_on_all(const Case &c) {
    const Vector &weight = c.objective.sample_weight;
    return weight.size() == 0 || weight.minCoeff() > 0;
}

/// What is wrong with one fit, or empty. An Error before there is a model is a refusal, a later one
/// is not: what was trained can be saved, read, used and verified on the rows it was trained on.
std::string check(const Case &c, const std::filesystem::path &file, Ledger &ledger) {
    std::optional<Trained> result;
    try {
        result = trained(c);
        return fault_of(*result, c, file, ledger);
    } catch (const Error &error) {
        if (result && trains_on_all(c))
            return fmt::format("refused after training: {}", error.what());
        if (!is_one_line(error.what())) return fmt::format("not one line: {}", error.what());
        ++ledger.refused;
        return {};
    } catch (const std::exception &error) {
        return fmt::format("not an Error: {}", error.what());
    }
}

void complain(Ledger &ledger, std::string_view what, std::int64_t seed) {
    ++ledger.wrong;
    fmt::print("wrong: {}\n  {}\n  again: stress --fits 1 --seed {}\n", what, ledger.now, seed);
    std::fflush(stdout);
}

/// The rest of the fits, after those that the ledger knows.
void work(const Arguments &arguments, const std::filesystem::path &file, Ledger &ledger) {
    while (ledger.fits < arguments.fits) {
        const std::int64_t seed = arguments.seed + ledger.fits++;
        const itimerval limit{.it_interval = {}, .it_value = {most_seconds, 0}};
        setitimer(ITIMER_PROF, &limit, nullptr);
        std::snprintf(ledger.now, sizeof ledger.now, "seed %lld", static_cast<long long>(seed));
        const Case c =
            random_case(static_cast<std::uint64_t>(seed), static_cast<int>(arguments.threads));
        std::snprintf(ledger.now, sizeof ledger.now, "%s", describe(c).c_str());
        if (arguments.fits == 1) fmt::print("{}\n", ledger.now);
        if (const std::string fault = check(c, file, ledger); !fault.empty())
            complain(ledger, fault, seed);
    }
    const itimerval off{};
    setitimer(ITIMER_PROF, &off, nullptr);
}

/// A worker that dies is replaced by one that goes on with the next fit.
void run(const Arguments &arguments, const std::filesystem::path &file, Ledger &ledger) {
    for (bool done = false; !done;) {
        const pid_t worker = fork();
        if (worker == 0) {
            work(arguments, file, ledger);
            std::exit(0); // here LeakSanitizer looks
        }
        int status = 0;
        if (worker < 0 || waitpid(worker, &status, 0) < 0) throw std::runtime_error("no worker");
        done = ledger.fits == arguments.fits;
        if (status == 0) continue;
        const std::int64_t seed = arguments.seed + ledger.fits - 1;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
            complain(ledger, fmt::format("no end within {} s", most_seconds), seed);
        else if (WIFSIGNALED(status))
            complain(ledger, fmt::format("crash, signal {}", WTERMSIG(status)), seed);
        else // what a sanitizer ends with; after the last fit it may be a leak of any of them
            complain(ledger, fmt::format("crash, exit status {}", WEXITSTATUS(status)), seed);
    }
}

Arguments read_arguments(int count, char **values) {
    Arguments arguments;
    for (int i = 1; i < count; i += 2) {
        const std::string_view name = values[i], value = i + 1 < count ? values[i + 1] : "";
        std::int64_t *const number = name == "--fits"      ? &arguments.fits
                                     : name == "--seed"    ? &arguments.seed
                                     : name == "--threads" ? &arguments.threads
                                                           : nullptr;
        if (number == nullptr ||
            std::from_chars(value.data(), value.data() + value.size(), *number).ec != std::errc{})
            throw std::runtime_error("usage: stress [--fits N] [--seed S] [--threads T]");
    }
    return arguments;
}

int stress(const Arguments &arguments) {
    void *const shared =
        mmap(nullptr, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
    Ledger &ledger = *new (shared) Ledger{};
    std::string folder = std::filesystem::temp_directory_path() / "hinge0-stress-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
    run(arguments, std::filesystem::path(folder) / "fit.model", ledger);
    std::filesystem::remove_all(folder);
    fmt::print("stress: {} fits, {} certified, {} confirmed by verify, {} not certified, "
               "{} refused, {} wrong\n",
               ledger.fits, ledger.certified, ledger.confirmed, ledger.uncertified, ledger.refused,
               ledger.wrong);
    return ledger.wrong > 0 ? 1 : 0;
}

} // namespace
} // namespace hinge0::stress

int main(int count, char **values) {
    try {
        return hinge0::stress::stress(hinge0::stress::read_arguments(count, values));
    } catch (const std::exception &error) {
        fmt::print(stderr, "stress: {}\n", error.what());
        return 2;
    }
}
