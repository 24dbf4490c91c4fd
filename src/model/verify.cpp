/// Recomputes objective, counts and certificate of a model by plain loops in extended precision,
/// or in double precision where that is far more than enough.
/// Shares no code with kernels, Gram matrix or solver: a mistake there must not hide here.
#include "hinge0/verify.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <optional>

#include "hinge0/error.hpp"
#include "model/known_training.hpp"
#include "model/quick/quick_sum.hpp"
#include "model/verify_sums.hpp"

namespace hinge0 {
namespace {

/// The non-zero features of a sample, by rising index.
template <class Number> using Row = std::vector<std::pair<Index, Number>>;

template <class Number>
void add(Row<Number> &row, const Scaling &scaling, Index feature, double value) {
    if (!scaling.empty()) value = (value - scaling.mean(feature)) / scaling.scale(feature);
    if (value != 0) row.emplace_back(feature, value);
}

template <class Number>
void fill_row(const Samples &samples, Index i, const Scaling &scaling, Row<Number> &row) {
    row.clear();
    if (const auto *dense = std::get_if<DenseRows>(&samples)) {
        for (Index f = 0; f < dense->cols(); ++f) add(row, scaling, f, (*dense)(i, f));
        return;
    }
    Index next = 0; // a missing feature is 0, which scaling may move
    for (SparseRows::InnerIterator it(std::get<SparseRows>(samples), i); it; ++it) {
        for (; !scaling.empty() && next < it.col(); ++next) add(row, scaling, next, 0.0);
        add(row, scaling, it.col(), it.value());
        next = it.col() + 1;
    }
    for (; next < scaling.mean.size(); ++next) add(row, scaling, next, 0.0);
}

template <class Number>
Row<Number> plain_row(const Samples &samples, Index i, const Scaling &scaling) {
    Row<Number> row;
    fill_row(samples, i, scaling, row);
    return row;
}

/// Sum of term(a_f, z_f) over the features that either has.
template <class Number, class Term>
Number sum_over(const Row<Number> &a, const Row<Number> &z, const Term &term) {
    Number sum = 0;
    auto p = a.begin(), q = z.begin();
    while (p != a.end() && q != z.end()) {
        const bool left = p->first <= q->first, right = q->first <= p->first;
        sum += term(left ? p->second : Number{0}, right ? q->second : Number{0});
        p += left ? 1 : 0;
        q += right ? 1 : 0;
    }
    for (; p != a.end(); ++p) sum += term(p->second, Number{0});
    for (; q != z.end(); ++q) sum += term(Number{0}, q->second);
    return sum;
}

template <class Number> Number squared_distance(const Row<Number> &a, const Row<Number> &z) {
    return sum_over(a, z, [](Number x, Number w) { return (x - w) * (x - w); });
}

/// By squaring: the dimension of a Wendland kernel may be two thousand millions.
Real power(Real base, int exponent) {
    Real result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) result *= base;
        base *= base;
    }
    return result;
}

struct Evaluate {
    const Row<Real> &a, &z;

    [[nodiscard]] Real dot() const {
        return sum_over(a, z, [](Real x, Real w) { return x * w; });
    }
    [[nodiscard]] Real squared() const { return squared_distance(a, z); }
    Real operator()(const LinearKernel &) const { return dot(); }
    Real operator()(const PolynomialKernel &k) const {
        return power(k.gamma * dot() + k.coef0, k.degree);
    }
    Real operator()(const RbfKernel &k) const { return std::exp(-k.gamma * squared()); }
    Real operator()(const ExponentialKernel &k) const {
        return std::exp(-k.gamma * std::sqrt(squared()));
    }
    Real operator()(const InverseMultiquadricKernel &k) const {
        return std::pow(Real{k.coef0} * k.coef0 + squared(), -Real{k.beta});
    }
    Real operator()(const WendlandKernel &k) const {
        const Real r = k.gamma * std::sqrt(squared());
        const int l = k.dimension / 2 + 2;
        return r < 1 ? power(1 - r, l + 1) * ((l + 1) * r + 1) : 0;
    }
    Real operator()(const LaplacianKernel &k) const {
        return std::exp(-k.gamma * sum_over(a, z, [](Real x, Real w) { return std::fabs(x - w); }));
    }
    Real operator()(const PrecomputedKernel &) const { return 0; } // handled by the caller
};

void check_same_data(const Model &model, const Dataset &data) {
    check_known_training(model.training_rows);
    if (data.size() != model.training_rows)
        throw InvalidInput(fmt::format("the model was trained on {} rows, the data has {}",
                                       model.training_rows, data.size()));
    const bool sparse = std::holds_alternative<SparseRows>(data.samples());
    if (sparse ? data.features() > model.features : data.features() != model.features)
        throw InvalidInput(fmt::format("the data has {} features, but the model expects {}",
                                       data.features(), model.features));
    if (data.classes() != model.classes)
        throw InvalidInput(fmt::format("the model knows the classes '{}' and '{}', the data has "
                                       "'{}' and '{}'",
                                       model.classes[0], model.classes[1], data.classes()[0],
                                       data.classes()[1]));
}

/// The support vectors of the model, which must be the rows of the data that it names.
std::vector<Row<Real>> support_of(const Model &model, const Dataset &data) {
    std::vector<Row<Real>> support;
    for (Index j = 0; j < model.coefficients.size(); ++j) {
        const Index i = model.rows[static_cast<std::size_t>(j)];
        const Row<Real> given = plain_row<Real>(data.samples(), i, model.scaling);
        support.push_back(plain_row<Real>(model.support, j, {})); // stored scaled
        const Real apart = sum_over(support.back(), given, [](Real x, Real z) -> Real {
            return std::fabs(x - z) > 1e-12L * (1 + std::fabs(x)) ? 1 : 0;
        });
        if (apart > 0)
            throw InvalidInput(fmt::format("row {} of the data differs from the support vector "
                                           "that the model took from there; is this the training "
                                           "data, in the same order?",
                                           i + 1));
    }
    return support;
}

/// (Kc)_i of any training row.
class Product {
public:
    Product(const Model &model, const Dataset &data)
        : model_(model), data_(data),
          precomputed_(std::holds_alternative<PrecomputedKernel>(model.kernel)),
          support_(precomputed_ ? std::vector<Row<Real>>{} : support_of(model, data)) {}

    Real operator()(Index i) const {
        const Row<Real> x =
            precomputed_ ? Row<Real>{} : plain_row<Real>(data_.samples(), i, model_.scaling);
        Real sum = 0;
        for (std::size_t j = 0; j < model_.rows.size(); ++j) {
            const Real k =
                precomputed_ ? std::visit([&](const auto &K) { return K.coeff(i, model_.rows[j]); },
                                          data_.samples())
                             : std::visit(Evaluate{x, support_[j]}, model_.kernel);
            sum += model_.coefficients(static_cast<Index>(j)) * k;
        }
        return sum;
    }

private:
    const Model &model_;
    const Dataset &data_;
    bool precomputed_;
    std::vector<Row<Real>> support_;
};

/// (Kc)_i in double precision, for samples so far from their margin that it is good enough: there
/// only the side counts, and roughly how far. Of the rbf kernel, whose relative errors are small:
/// a squared distance of d features has one of (d + 3) 2^-53, k at most 745 times that.
class QuickLook {
public:
    /// One row, and room for its terms.
    struct Scratch {
        Row<double> row;
        std::vector<double> x, terms;
    };

    QuickLook(const Model &model, const Dataset &data) : model_(model), data_(data) {
        const bool counts = std::holds_alternative<L0Loss>(model.loss);
        const Index n = model.coefficients.size();
        const double values = static_cast<double>(model.features) * static_cast<double>(n);
        is_usable_ = counts && std::holds_alternative<RbfKernel>(model.kernel) && values <= 1e7;
        if (!is_usable_) return;
        support_.assign(static_cast<std::size_t>(model.features * n), 0.0);
        for (Index j = 0; j < n; ++j)
            for (const auto &[f, value] : plain_row<double>(model.support, j, {}))
                support_[static_cast<std::size_t>(f * n + j)] = value;
    }

    /// None if the sample is near its margin.
    std::optional<double> operator()(Index i, Scratch &scratch) const {
        if (!is_usable_) return std::nullopt;
        fill_row(data_.samples(), i, model_.scaling, scratch.row);
        scratch.x.assign(static_cast<std::size_t>(model_.features), 0.0);
        for (const auto &[f, value] : scratch.row) scratch.x[static_cast<std::size_t>(f)] = value;
        const Index n = model_.coefficients.size();
        scratch.terms.resize(static_cast<std::size_t>(n));
        QuickSum sum{};
        quick_sum({support_.data(), model_.coefficients.data(), n, model_.features,
                   std::get<RbfKernel>(model_.kernel).gamma},
                  scratch.x.data(), scratch.terms.data(), sum);
        const double size = std::fabs(model_.bias) + sum.size;
        const double deficit = 1 - data_.signs()(i) * (sum.value + model_.bias);
        if (std::fabs(deficit) > 1e-4 * (1 + size)) return sum.value; // false for NaN
        return std::nullopt;
    }

private:
    const Model &model_;
    const Dataset &data_;
    bool is_usable_ = false;
    std::vector<double> support_; ///< value f of support vector j at [f * their number + j]
};

/// Whether a double can hold it: infinity and NaN compare with nothing, and would pass for good.
bool is_finite(Real value) { return std::isfinite(static_cast<double>(value)); }

/// Kc on every training row. An exception must not leave a parallel loop: it is kept until after.
std::vector<Real> products(const Model &model, const Dataset &data,
                           const std::function<bool()> &should_stop) {
    const auto stop_if_asked = [&] {
        if (should_stop && should_stop()) throw Interrupted("interrupted while verifying");
    };
    stop_if_asked(); // of few rows the first thread may get none
    const Product product(model, data);
    const QuickLook quick(model, data);
    std::vector<char> supports(static_cast<std::size_t>(data.size()), 0);
    for (const Index i : model.rows) supports[static_cast<std::size_t>(i)] = 1;
    std::vector<Real> result(supports.size(), 0);
    std::exception_ptr error;
    std::atomic<bool> stopped = false;
#pragma omp parallel
    {
        QuickLook::Scratch scratch;
#pragma omp for schedule(dynamic, 64)
        for (Index i = 0; i < data.size(); ++i) {
            if (stopped) continue;
            try {
                const auto k = static_cast<std::size_t>(i);
                const auto found = supports[k] != 0 ? std::nullopt : quick(i, scratch);
                result[k] = found ? *found : product(i);
                if (omp_get_thread_num() == 0 && i % 64 == 0) stop_if_asked();
            } catch (...) {
#pragma omp critical(hinge0_verify_error)
                if (!error) error = std::current_exception();
                stopped = true;
            }
        }
    }
    if (error) std::rethrow_exception(error);
    const auto bad = std::find_if_not(result.begin(), result.end(), is_finite);
    if (bad != result.end())
        throw NumericalError(
            fmt::format("the kernel values of row {} are not finite", bad - result.begin() + 1));
    return result;
}

} // namespace

Verification verify(const Model &model, const Dataset &data, const Vector &sample_weight,
                    const std::function<bool()> &should_stop) {
    check_same_data(model, data);
    if (sample_weight.size() > 0 && sample_weight.size() != data.size())
        throw InvalidInput(
            fmt::format("{} sample weights for {} rows", sample_weight.size(), data.size()));
    return verified_sums(model, data, sample_weight, products(model, data, should_stop));
}

} // namespace hinge0
