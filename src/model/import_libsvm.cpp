/// LIBSVM's model text -> Classifier.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "data/text.hpp"
#include "hinge0/error.hpp"
#include "hinge0/export.hpp"

namespace hinge0 {
namespace {

class LibsvmModel {
public:
    LibsvmModel(std::string_view text, const std::string &name) : left_(text), name_(name) {}

    Classifier read() {
        read_head();
        read_kernel();
        read_sizes();
        read_labels();
        read_pairs();
        read_vectors();
        return finish();
    }

private:
    [[noreturn]] void fail(const std::string &what) const {
        throw FileError(what, fmt::format("{}:{}", name_, at_));
    }
    bool next_line() {
        if (left_.empty()) return false;
        at_ = ++line_number_;
        const std::size_t end = std::min(left_.find('\n'), left_.size());
        line_ = left_.substr(0, end);
        left_.remove_prefix(std::min(end + 1, left_.size()));
        if (line_.ends_with('\r')) line_.remove_suffix(1);
        return true;
    }
    /// The next word of the line; empty at its end.
    std::string_view word() {
        const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
        while (!line_.empty() && is_space(line_.front())) line_.remove_prefix(1);
        const auto end = std::ranges::find_if(line_, is_space) - line_.begin();
        const std::string_view found = line_.substr(0, static_cast<std::size_t>(end));
        line_.remove_prefix(found.size());
        return found;
    }
    double number(std::string_view text, std::string_view what) const {
        const std::optional<double> value = whole_number(text);
        if (!value || !std::isfinite(*value))
            fail(fmt::format("{} {} is not a finite number", what, in_quotes(text)));
        return *value;
    }
    Index integer(std::string_view text, std::string_view what, Index least, Index most) const {
        const double value = number(text, what);
        if (value != std::floor(value) || value < static_cast<double>(least) ||
            value > static_cast<double>(most))
            fail(fmt::format("{} must be a whole number in [{}, {}], got {}", what, least, most,
                             in_quotes(text)));
        return static_cast<Index>(value);
    }

    void read_head() {
        for (;;) {
            if (!next_line()) fail("no line SV: not a LIBSVM model, or cut off");
            const std::string key(word());
            if (key == "SV") return;
            if (line_number_ == 1 && key != "svm_type")
                fail("not a LIBSVM model, nor JSON of hinge0");
            if (head_.contains(key)) fail(fmt::format("{} occurs twice", in_quotes(key)));
            HeadLine &line = head_[key];
            line.number = line_number_;
            for (std::string_view value = word(); !value.empty(); value = word())
                line.values.emplace_back(value);
        }
    }
    /// What messages are about from here on, too.
    [[nodiscard]] const std::vector<std::string> &values(const std::string &key, Index count) {
        const auto found = head_.find(key);
        at_ = found == head_.end() ? line_number_ : found->second.number;
        if (found == head_.end()) fail(fmt::format("the line {} is missing", key));
        const std::vector<std::string> &given = found->second.values;
        if (std::ssize(given) != count)
            fail(fmt::format("{} must have {} values, got {}", key, count, given.size()));
        return given;
    }
    [[nodiscard]] const std::string &value(const std::string &key) { return values(key, 1)[0]; }
    [[nodiscard]] Vector numbers(const std::string &key, Index count) {
        const std::vector<std::string> &texts = values(key, count);
        Vector result(count);
        std::ranges::transform(texts, result.begin(),
                               [&](const std::string &text) { return number(text, key); });
        return result;
    }
    void read_kernel() {
        const std::string &type = value("svm_type");
        if (type != "c_svc" && type != "nu_svc")
            fail(fmt::format("svm_type {} is no classifier that hinge0 has", in_quotes(type)));
        const std::string &kernel = value("kernel_type");
        if (kernel == "linear") {
            result_.kernel = LinearKernel{};
        } else if (kernel == "rbf") {
            result_.kernel = RbfKernel{number(value("gamma"), "gamma")};
        } else if (kernel == "polynomial") {
            result_.kernel = PolynomialKernel{
                .gamma = number(value("gamma"), "gamma"),
                .coef0 = number(value("coef0"), "coef0"),
                .degree = static_cast<int>(integer(value("degree"), "degree", 1, 100))};
        } else {
            fail(fmt::format("kernel_type {} is not one of linear, polynomial and rbf",
                             in_quotes(kernel)));
        }
        try {
            validate(result_.kernel);
        } catch (const InvalidInput &error) {
            fail(error.what());
        }
    }
    void read_sizes() {
        classes_ = integer(value("nr_class"), "nr_class", 2, 30'000);
        // "0 " is the shortest coefficient: so many lines the rest of the file can hold.
        total_ = integer(value("total_sv"), "total_sv", 0,
                         static_cast<Index>(left_.size()) / (2 * (classes_ - 1)));
        Index sum = 0;
        for (const std::string &one : values("nr_sv", classes_)) {
            const Index of_class = integer(one, "nr_sv", 0, total_);
            sum += of_class;
            first_.push_back(sum);
        }
        if (sum != total_) fail(fmt::format("nr_sv adds up to {}, total_sv is {}", sum, total_));
    }
    /// Classes stay in LIBSVM's order: of equal votes the first wins.
    void read_labels() {
        for (const std::string &label : values("label", classes_)) {
            const double value = number(label, "label");
            if (value != std::floor(value))
                fail(fmt::format("label {} is not a whole number", in_quotes(label)));
            result_.classes.push_back(canonical_label(label).value());
        }
        const std::set<std::string> different(result_.classes.begin(), result_.classes.end());
        if (std::ssize(different) < classes_) fail("two classes have the same label");
    }
    /// Theirs speak for their first class, ours for the second: h has the other sign.
    void read_pairs() {
        const Index count = pair_count(Scheme::ovo, classes_);
        const Vector rho = numbers("rho", count);
        for (Index k = 0; k < count; ++k) {
            Pair &pair = result_.pairs.emplace_back();
            pair.classes = pair_classes(Scheme::ovo, classes_, k);
            pair.bias = rho(k);
        }
        if (!head_.contains("probA") && !head_.contains("probB")) return; // not of svm-train -b 1
        const Vector offset = numbers("probB", count), slope = numbers("probA", count);
        if (slope.maxCoeff() > 0)
            fail("probabilities that fall where the decision value rises: remove the lines probA "
                 "and probB to import the model without them");
        for (Index k = 0; k < count; ++k)
            result_.pairs[static_cast<std::size_t>(k)].calibration =
                Sigmoid{.slope = slope(k), .offset = -offset(k)};
    }
    void read_vectors() {
        coefficients_.resize(total_, classes_ - 1);
        support_.resize(total_, std::numeric_limits<std::int32_t>::max());
        Index row = 0;
        for (; next_line(); ++row) {
            if (row == total_) fail(fmt::format("more lines than the {} of total_sv", total_));
            for (Index k = 0; k < classes_ - 1; ++k)
                coefficients_(row, k) = number(word(), "coefficient");
            Index last = 0;
            support_.startVec(row);
            for (std::string_view pair = word(); !pair.empty(); pair = word()) {
                const std::size_t colon = pair.find(':');
                if (colon == std::string_view::npos)
                    fail(fmt::format("missing ':' in {}", in_quotes(pair)));
                const Index index = integer(pair.substr(0, colon), "index", last + 1,
                                            std::numeric_limits<std::int32_t>::max());
                support_.insertBack(row, index - 1) = number(pair.substr(colon + 1), "value");
                last = index;
            }
            features_ = std::max(features_, last);
        }
        if (row < total_) fail(fmt::format("total_sv says {}, only {} follow", total_, row));
        support_.finalize();
    }
    Classifier finish() {
        for (Pair &pair : result_.pairs) fill(pair);
        result_.features = std::max<Index>(features_, 1);
        support_.conservativeResize(total_, result_.features);
        result_.support = support_;
        result_.rows.resize(static_cast<std::size_t>(total_));
        std::iota(result_.rows.begin(), result_.rows.end(), Index{0});
        result_.loss = HingeLoss{};
        result_.class_weight.assign(result_.classes.size(), 1.0);
        try {
            validate(result_);
        } catch (const InvalidInput &error) {
            fail(error.what());
        }
        return std::move(result_);
    }
    void fill(Pair &pair) const {
        const auto [low, high] = pair.classes;
        std::vector<double> found;
        const auto take = [&](Index of, Index column) {
            const auto at = static_cast<std::size_t>(of);
            for (Index row = first_[at]; row < first_[at + 1]; ++row) {
                if (coefficients_(row, column) == 0) continue;
                pair.support.push_back(row);
                found.push_back(-coefficients_(row, column));
            }
        };
        take(low, high - 1);
        take(high, low);
        pair.coefficients = Eigen::Map<const Vector>(found.data(), std::ssize(found));
    }

    struct HeadLine {
        std::size_t number = 0;
        std::vector<std::string> values{};
    };
    std::string_view left_, line_;
    const std::string &name_;
    std::size_t line_number_ = 0, at_ = 0; ///< lines read, and the one that messages name
    std::map<std::string, HeadLine> head_;
    Classifier result_;
    Index classes_ = 0, total_ = 0, features_ = 0;
    std::vector<Index> first_{0}; ///< support vector of each class, and behind the last
    Matrix coefficients_;
    SparseRows support_;
};

} // namespace

Classifier from_libsvm(std::string_view text, const std::string &name) {
    return LibsvmModel(text, name).read();
}

} // namespace hinge0
