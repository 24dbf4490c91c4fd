/// From the decision values of all pairs to one class, one value or one probability per class.
#include <algorithm>
#include <cmath>

#include "hinge0/classifier.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {
namespace {

Index class_count(const Classifier &classifier) {
    return static_cast<Index>(classifier.classes.size());
}

void check_columns(const Classifier &classifier, const Matrix &decisions) {
    if (decisions.cols() != std::ssize(classifier.pairs))
        throw InvalidInput("as many columns of decision values are needed as there are pairs");
}

/// How many pairs of ovo are for each class.
void count_votes(const Classifier &classifier, const Matrix &decisions, Index row, Vector &votes) {
    votes.setZero();
    for (Index k = 0; k < decisions.cols(); ++k)
        ++votes(classifier.pairs[static_cast<std::size_t>(k)].classes[decisions(row, k) > 0]);
}

struct Apply {
    double h;
    double operator()(std::monostate) const { return 0; }
    double operator()(const Sigmoid &sigmoid) const {
        const double t = sigmoid.slope * h + sigmoid.offset; // either form overflows to the limit
        return t >= 0 ? std::exp(-t) / (1 + std::exp(-t)) : 1 / (1 + std::exp(t));
    }
    double operator()(const Isotonic &isotonic) const {
        const auto &[at, value] = isotonic;
        const Index next = std::upper_bound(at.begin(), at.end(), h) - at.begin();
        if (next == 0) return value(0);
        if (next == at.size()) return value(next - 1);
        const double share = (h - at(next - 1)) / (at(next) - at(next - 1));
        return value(next - 1) + share * (value(next) - value(next - 1));
    }
};

/// p minimises sum over i < j of (r_ji p_i - r_ij p_j)^2, with r_ij the probability of i among i
/// and j: Wu, Lin and Weng, "Probability estimates for multi-class classification by pairwise
/// coupling", JMLR 5 (2004), equation (41), by their Algorithm 2.
void couple(const Matrix &r, Eigen::Ref<Vector> p) {
    const Index n = r.rows();
    Matrix Q(n, n);
    for (Index t = 0; t < n; ++t) {
        Q(t, t) = 0;
        for (Index j = 0; j < n; ++j) {
            if (j == t) continue;
            Q(t, t) += r(j, t) * r(j, t);
            Q(t, j) = -r(j, t) * r(t, j);
        }
    }
    p.setConstant(1.0 / static_cast<double>(n));
    const double enough = 0.005 / static_cast<double>(n);
    for (Index round = 0; round < std::max<Index>(100, n); ++round) {
        Vector Qp = Q * p;
        double pQp = p.dot(Qp);
        if ((Qp.array() - pQp).abs().maxCoeff() < enough) break;
        for (Index t = 0; t < n; ++t) {
            const double change = (pQp - Qp(t)) / Q(t, t), norm = 1 + change;
            p(t) += change;
            pQp = (pQp + change * (change * Q(t, t) + 2 * Qp(t))) / norm / norm;
            Qp = (Qp + change * Q.col(t)) / norm;
            p /= norm;
        }
    }
}

} // namespace

std::vector<Index> classes_of(const Classifier &classifier, const Matrix &decisions) {
    check_columns(classifier, decisions);
    std::vector<Index> result(static_cast<std::size_t>(decisions.rows()));
    Vector votes(class_count(classifier));
    for (Index i = 0; i < decisions.rows(); ++i) {
        Index &best = result[static_cast<std::size_t>(i)];
        if (classifier.is_binary()) {
            best = decisions(i, 0) > 0 ? 1 : 0;
        } else if (classifier.scheme == Scheme::ovr) {
            decisions.row(i).maxCoeff(&best);
        } else {
            count_votes(classifier, decisions, i, votes);
            votes.maxCoeff(&best); // the first of equal ones
        }
    }
    return result;
}

Matrix class_values(const Classifier &classifier, const Matrix &decisions) {
    check_columns(classifier, decisions);
    if (classifier.is_binary() || classifier.scheme == Scheme::ovr) return decisions;
    Matrix result(decisions.rows(), class_count(classifier));
    Vector votes(result.cols()), sure(result.cols());
    for (Index i = 0; i < decisions.rows(); ++i) {
        count_votes(classifier, decisions, i, votes);
        sure.setZero();
        for (Index k = 0; k < decisions.cols(); ++k) {
            const auto [low, high] = classifier.pairs[static_cast<std::size_t>(k)].classes;
            sure(low) -= decisions(i, k);
            sure(high) += decisions(i, k);
        }
        // less than half a vote, whatever its size
        result.row(i) = votes.array() + sure.array() / (3 * (sure.array().abs() + 1));
    }
    return result;
}

Matrix probabilities(const Classifier &classifier, const Matrix &decisions) {
    check_columns(classifier, decisions);
    if (!classifier.is_calibrated())
        throw InvalidInput("the model has no probabilities; train it with --calibrate");
    constexpr double least = 1e-7; // as LIBSVM: no pair is certain
    const Index n = class_count(classifier);
    const bool coupled = !classifier.is_binary() && classifier.scheme == Scheme::ovo;
    Matrix result(decisions.rows(), n), r = Matrix::Zero(coupled ? n : 0, coupled ? n : 0);
    Vector p(n);
    for (Index i = 0; i < decisions.rows(); ++i) {
        for (Index k = 0; k < decisions.cols(); ++k) {
            const Pair &pair = classifier.pairs[static_cast<std::size_t>(k)];
            const double high = std::visit(Apply{decisions(i, k)}, pair.calibration);
            if (classifier.is_binary()) {
                p << 1 - high, high;
            } else if (classifier.scheme == Scheme::ovr) {
                p(k) = high;
            } else {
                r(pair.classes[1], pair.classes[0]) = std::clamp(high, least, 1 - least);
                r(pair.classes[0], pair.classes[1]) = 1 - r(pair.classes[1], pair.classes[0]);
            }
        }
        if (coupled) couple(r, p);
        const double sum = p.sum();
        result.row(i) =
            sum > 0 ? Vector(p / sum) : Vector::Constant(n, 1.0 / static_cast<double>(n));
    }
    return result;
}

} // namespace hinge0
