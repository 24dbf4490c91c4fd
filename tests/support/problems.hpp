#pragma once
/// Small problems and plain reference formulas for tests. Seeds are explicit and local.
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <string_view>

#include "hinge0/hinge0.hpp"

namespace hinge0::test {

/// Under a sanitizer tests look for memory errors and races, many times slower: smaller problems
/// do.
#ifdef HINGE0_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

inline DenseRows random_rows(Index rows, Index cols, unsigned seed, double shift = 0) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal(shift, 1.0);
    DenseRows out(rows, cols);
    for (double &value : out.reshaped()) value = normal(generator);
    return out;
}

/// Random rows of which about `share` of the entries are not zero.
inline SparseRows random_sparse_rows(Index rows, Index cols, double share, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    std::bernoulli_distribution present(share);
    SparseRows out(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        out.startVec(i);
        for (Index f = 0; f < cols; ++f)
            if (present(generator)) out.insertBack(i, f) = normal(generator);
    }
    out.finalize();
    return out;
}

inline Dataset dataset(const Samples &samples, const std::vector<int> &labels) {
    std::vector<std::string> text(labels.size());
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = std::to_string(labels[i]);
    return {samples, text};
}

inline Dataset noisy_moons(Index samples, double flip, std::uint32_t seed) {
    return Dataset(make_moons({.samples = samples, .noise = 0.15, .flip = flip, .seed = seed}));
}

/// A solver of one data set, with the labels that it has.
class Trainer {
public:
    Trainer(const Dataset &data, const Kernel &kernel)
        : signs_(data.signs()), classes_(data.classes()), solver_(data.samples(), kernel) {}
    [[nodiscard]] Solution solve(const Objective &objective, const Settings &settings = {},
                                 const Observer &observer = {},
                                 const std::optional<Vector> &start = {}) const {
        return solver_.solve(signs_, objective, settings, observer, start);
    }
    [[nodiscard]] Model model(const Solution &solution, const Objective &objective) const {
        return solver_.model(solution, objective, classes_);
    }

private:
    Vector signs_;
    std::array<std::string, 2> classes_;
    Solver solver_;
};

/// The naive kernel value of two dense rows, straight from the definitions. Rows are not copied and
/// nothing is allocated: under sanitizers that was most of the time of whole test programs.
template <class A, class Z>
double naive_kernel(const Kernel &kernel, const Eigen::MatrixBase<A> &a,
                    const Eigen::MatrixBase<Z> &z) {
    const double r2 = (a - z).squaredNorm(), r = std::sqrt(r2);
    const std::string_view which = name(kernel);
    if (which == "linear") return a.dot(z);
    if (which == "rbf") return std::exp(-std::get<RbfKernel>(kernel).gamma * r2);
    if (which == "exponential") return std::exp(-std::get<ExponentialKernel>(kernel).gamma * r);
    if (which == "laplacian")
        return std::exp(-std::get<LaplacianKernel>(kernel).gamma * (a - z).template lpNorm<1>());
    if (which == "poly") {
        const auto &p = std::get<PolynomialKernel>(kernel);
        return std::pow(p.gamma * a.dot(z) + p.coef0, p.degree);
    }
    if (which == "imq") {
        const auto &p = std::get<InverseMultiquadricKernel>(kernel);
        return std::pow(p.coef0 * p.coef0 + r2, -p.beta);
    }
    const auto &w = std::get<WendlandKernel>(kernel);
    const double t = w.gamma * r, l = std::floor(w.dimension / 2.0) + 2;
    return t >= 1 ? 0.0 : std::pow(1 - t, l + 1) * ((l + 1) * t + 1);
}

inline Matrix naive_gram(const Kernel &kernel, const DenseRows &a, const DenseRows &z) {
    Matrix out(a.rows(), z.rows());
    for (Index i = 0; i < out.rows(); ++i)
        for (Index j = 0; j < out.cols(); ++j) out(i, j) = naive_kernel(kernel, a.row(i), z.row(j));
    return out;
}

/// One of each kernel with features, for rows of this many columns.
inline std::vector<Kernel> every_kernel(int features) {
    return {LinearKernel{},
            PolynomialKernel{.gamma = 0.5, .coef0 = 1.0, .degree = 3},
            RbfKernel{0.3},
            ExponentialKernel{0.7},
            InverseMultiquadricKernel{.coef0 = 1.5, .beta = 0.75},
            WendlandKernel{.gamma = 0.25, .dimension = features},
            LaplacianKernel{0.2}};
}

/// A data set of the shared folders by name, or empty when $HINGE0_DATA does not have it.
inline std::string real_data(const std::string &name) {
    const char *folders = std::getenv("HINGE0_DATA");
    std::istringstream list(folders != nullptr ? folders : "");
    for (std::string folder; std::getline(list, folder, ':');)
        if (const auto file = std::filesystem::path(folder) / (name + ".libsvm.xz");
            std::filesystem::exists(file))
            return file;
    return {};
}

} // namespace hinge0::test
