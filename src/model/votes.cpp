/// From the decision values of all pairs to one class, one value or one probability per class.
#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

#include "hinge0/error.hpp"
#include "model/votes.hpp"

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
    double operator()(const Isotonic &isotonic) const { return value_at(isotonic, h); }
};

/// p minimises sum over i < j of (r_ji p_i - r_ij p_j)^2 = p'Qp where its sum is 1, with r_ij the
/// probability of i among i and j: the second method of Wu, Lin and Weng, "Probability estimates
/// for multi-class classification by pairwise coupling", JMLR 5 (2004). They show that no p_i is
/// negative then. At the minimum Qp has the same value for all classes, and so has (Q + 1) p. That
/// matrix is positive definite: p is, up to a factor, what it takes to 1.
void couple(const Matrix &r, Eigen::Ref<Vector> p) {
    Matrix A = Matrix::Ones(r.rows(), r.cols()) - r.cwiseProduct(r.transpose());
    A.diagonal() += r.colwise().squaredNorm().transpose();
    p = A.llt().solve(Vector::Ones(r.rows())).cwiseMax(0);
}

} // namespace

double probability(const Calibration &calibration, double h) {
    return std::visit(Apply{h}, calibration);
}

double value_at(const Isotonic &isotonic, double h) {
    const auto &[at, value] = isotonic;
    const Index next = std::upper_bound(at.begin(), at.end(), h) - at.begin();
    if (next == 0) return value(0);
    if (next == at.size()) return value(next - 1);
    const double share = (h - at(next - 1)) / (at(next) - at(next - 1));
    return value(next - 1) + share * (value(next) - value(next - 1));
}

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
    const Index n = class_count(classifier);
    const bool coupled = !classifier.is_binary() && classifier.scheme == Scheme::ovo;
    Matrix result(decisions.rows(), n), r = Matrix::Zero(coupled ? n : 0, coupled ? n : 0);
    Vector p(n);
    for (Index i = 0; i < decisions.rows(); ++i) {
        for (Index k = 0; k < decisions.cols(); ++k) {
            const Pair &pair = classifier.pairs[static_cast<std::size_t>(k)];
            const double high = probability(pair.calibration, decisions(i, k));
            if (classifier.is_binary()) {
                p << 1 - high, high;
            } else if (classifier.scheme == Scheme::ovr) {
                p(k) = high;
            } else {
                r(pair.classes[1], pair.classes[0]) =
                    std::clamp(high, least_share, 1 - least_share);
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
