/// Sums in blocks of samples, which are added up in their order: the same bits for any threads.
#include "model/verify_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hinge0 {
namespace {

/// Samples that a thread sums up at a time.
constexpr Index block = 8192;

/// One training sample: sign, coefficient, (Kc)_i, deficit 1 - y h, price, the multiplier
/// alpha = -lambda that the coefficient implies, and the deficit u that this multiplier asks for.
struct Sample {
    Real y, c, Kc, s, C, alpha, u;
};

/// u: where a sample of deficit s must be for the multiplier alpha to be one of the loss.
Real required_deficit(const Loss &loss, Real s, Real alpha, Real C) {
    if (std::holds_alternative<L0Loss>(loss))
        return alpha > 0 || (s > 0 && s <= deficit_tolerance) ? 0 : s;
    if (alpha <= 0) return std::min<Real>(s, 0);
    if (std::holds_alternative<SquaredHingeLoss>(loss)) return alpha / (2 * C);
    return alpha >= C ? std::max<Real>(s, 0) : 0;
}

/// All samples, made as they are asked for: a million of them would fill a hundred megabytes.
class Described {
public:
    Described(const Model &model, const Dataset &data, const Vector &weight, std::vector<Real> Kc)
        : model_(model), data_(data), weight_(weight), Kc_(std::move(Kc)), c_(Kc_.size(), 0.0) {
        for (std::size_t j = 0; j < model.rows.size(); ++j)
            c_[static_cast<std::size_t>(model.rows[j])] = model.coefficients(static_cast<Index>(j));
    }
    /// Every sample added to a Sums that begins as `empty`.
    template <class Sums> [[nodiscard]] Sums sum_up(const Sums &empty) const {
        const auto m = static_cast<Index>(Kc_.size()), blocks = (m + block - 1) / block;
        std::vector<Sums> parts(static_cast<std::size_t>(blocks), empty);
#pragma omp parallel for schedule(static)
        for (Index b = 0; b < blocks; ++b)
            for (Index i = b * block; i < std::min(m, (b + 1) * block); ++i) {
                const Sample p = sample(static_cast<std::size_t>(i));
                if (p.C != 0) parts[static_cast<std::size_t>(b)].add(p); // weight 0: not there
            }
        Sums all = empty;
        for (const Sums &part : parts) all.add(part);
        return all;
    }

private:
    [[nodiscard]] Sample sample(std::size_t i) const {
        Sample p{};
        p.y = data_.signs()(static_cast<Index>(i));
        p.c = c_[i];
        p.Kc = Kc_[i];
        p.s = 1 - p.y * (Kc_[i] + model_.bias);
        p.C = static_cast<Real>(model_.C) * model_.class_weight[p.y > 0 ? 1 : 0];
        if (weight_.size() > 0) p.C *= weight_(static_cast<Index>(i));
        p.alpha = std::max<Real>(p.y * p.c, 0);
        if (std::holds_alternative<HingeLoss>(model_.loss) && p.alpha > p.C * (1 - 1e-12L))
            p.alpha = p.C; // a hinge multiplier is at most C
        p.u = required_deficit(model_.loss, p.s, p.alpha, p.C);
        return p;
    }

    const Model &model_;
    const Dataset &data_;
    const Vector &weight_;
    std::vector<Real> Kc_;
    std::vector<double> c_;
};

Real loss_value(const Loss &loss, Real s) {
    if (s <= deficit_tolerance) return 0;
    if (std::holds_alternative<L0Loss>(loss)) return 1;
    return std::holds_alternative<HingeLoss>(loss) ? s : s * s;
}

Real prox(const Loss &loss, Real v, Real t) {
    if (v <= 0) return v;
    if (std::holds_alternative<L0Loss>(loss)) return v * v <= 2 * t ? 0 : v;
    if (std::holds_alternative<HingeLoss>(loss)) return std::max<Real>(v - t, 0);
    return v / (1 + 2 * t);
}

/// Objective and counts, and the largest prox parameter of Theorem 3.13.
struct Totals {
    const Loss &loss;
    double bias;
    Real half_norm = 0, prices_paid = 0, gamma = HUGE_VALL;
    std::array<Real, 2> class_price{0, 0};
    Index count = 0, right = 0, violators = 0, support_vectors = 0;

    void add(const Sample &p) {
        half_norm += p.c * p.Kc / 2;
        prices_paid += p.C * loss_value(loss, p.s);
        class_price[p.y > 0 ? 1 : 0] += p.C;
        ++count;
        right += (p.Kc + bias > 0) == (p.y > 0) ? 1 : 0;
        violators += p.s > deficit_tolerance ? 1 : 0;
        support_vectors += p.c != 0 ? 1 : 0;
        if (p.alpha > 0) gamma = std::min(gamma, 2 * p.C / (p.alpha * p.alpha));
        if (p.u > 0) gamma = std::min(gamma, p.u * p.u / (2 * p.C));
    }
    void add(const Totals &other) {
        half_norm += other.half_norm;
        prices_paid += other.prices_paid;
        gamma = std::min(gamma, other.gamma);
        for (std::size_t k = 0; k < 2; ++k) class_price[k] += other.class_price[k];
        count += other.count;
        right += other.right;
        violators += other.violators;
        support_vectors += other.support_vectors;
    }
};

/// How far the samples are from what the certificate asks for.
struct Deviations {
    const Loss &loss;
    Real gamma;
    Real wrong = 0, cc = 0, aa = 0, balance = 0, sum = 0, apart = 0, worst = 0, moved = 0, uu = 0;

    void add(const Sample &p) {
        const Real off = p.c - p.y * p.alpha, gap = p.u - p.s;
        const Real step = p.u - prox(loss, p.u + gamma * p.alpha, gamma * p.C);
        wrong += off * off;
        cc += p.c * p.c;
        aa += p.alpha * p.alpha;
        balance += p.y * p.alpha;
        sum += p.alpha;
        apart += gap * gap;
        worst = std::max(worst, std::fabs(gap));
        moved += step * step;
        uu += p.u * p.u;
    }
    void add(const Deviations &other) {
        wrong += other.wrong;
        cc += other.cc;
        aa += other.aa;
        balance += other.balance;
        sum += other.sum;
        apart += other.apart;
        worst = std::max(worst, other.worst);
        moved += other.moved;
        uu += other.uu;
    }
};

Certificate certificate_of(const Deviations &r, Real m) {
    Certificate result;
    result.stationarity =
        static_cast<double>(std::sqrt(r.wrong) / (1 + std::sqrt(r.cc) + std::sqrt(r.aa)));
    result.balance = static_cast<double>(std::fabs(r.balance) / m);
    result.feasibility = static_cast<double>(std::sqrt(r.apart / m));
    result.proximal = static_cast<double>(std::sqrt(r.moved) / (1 + std::sqrt(r.uu)));
    result.gamma = static_cast<double>(r.gamma);
    result.worst_deficit = static_cast<double>(r.worst);
    const Real all = r.wrong + r.cc + r.aa + r.balance + r.apart + r.moved + r.uu + r.gamma;
    result.local_minimum = std::isfinite(all) && result.worst() <= certificate_tolerance &&
                           r.worst <= certificate_tolerance &&
                           std::fabs(r.balance) <= certificate_tolerance * (1 + r.sum);
    return result;
}

/// The smallest loss of a constant classifier h = b, -1 <= b <= 1.
Real constant_loss(const Loss &loss, Real negative, Real positive) {
    const Real least = std::min(negative, positive);
    if (std::holds_alternative<L0Loss>(loss)) return least;
    if (std::holds_alternative<HingeLoss>(loss)) return 2 * least;
    const Real b = (positive - negative) / (positive + negative);
    return positive * (1 - b) * (1 - b) + negative * (1 + b) * (1 + b);
}

} // namespace

Verification verified_sums(const Model &model, const Dataset &data, const Vector &sample_weight,
                           std::vector<Real> Kc) {
    const Described samples(model, data, sample_weight, std::move(Kc));
    const Totals totals = samples.sum_up(Totals{model.loss, model.bias});
    const bool is_l0 = std::holds_alternative<L0Loss>(model.loss);
    // A hair less, because the prox takes 0 at its threshold.
    const Real gamma = is_l0 && std::isfinite(totals.gamma) ? totals.gamma * (1 - 1e-9L) : 1;
    Verification result;
    result.violators = totals.violators;
    result.support_vectors = totals.support_vectors;
    result.half_norm_squared = static_cast<double>(totals.half_norm);
    result.objective = static_cast<double>(totals.half_norm + totals.prices_paid);
    result.constant_objective = static_cast<double>(
        constant_loss(model.loss, totals.class_price[0], totals.class_price[1]));
    result.train_accuracy = static_cast<double>(totals.right) / static_cast<double>(totals.count);
    result.certificate = certificate_of(samples.sum_up(Deviations{model.loss, gamma}),
                                        static_cast<Real>(totals.count));
    result.certificate.local_minimum &=
        std::isfinite(result.objective) && std::isfinite(result.constant_objective);
    return result;
}

} // namespace hinge0
