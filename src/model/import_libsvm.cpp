/// LIBSVM's model text -> Classifier.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

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
        check_head();
        read_vectors();
        return finish();
    }

private:
    [[noreturn]] void fail(const std::string &what) const {
        throw FileError(what, fmt::format("{}:{}", name_, line_number_));
    }
    bool next_line() {
        if (left_.empty()) return false;
        ++line_number_;
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
            std::vector<std::string> &values = head_[key];
            for (std::string_view value = word(); !value.empty(); value = word())
                values.emplace_back(value);
        }
    }
    [[nodiscard]] const std::vector<std::string> &values(const std::string &key,
                                                         std::size_t count) const {
        const auto found = head_.find(key);
        if (found == head_.end()) fail(fmt::format("the line {} is missing", key));
        if (found->second.size() != count)
            fail(fmt::format("{} must have {} values, got {}", key, count, found->second.size()));
        return found->second;
    }
    [[nodiscard]] const std::string &value(const std::string &key) const {
        return values(key, 1)[0];
    }
    void check_head() {
        const std::string &type = value("svm_type"), &kernel = value("kernel_type");
        if (type != "c_svc" && type != "nu_svc")
            fail(fmt::format("svm_type {} is no classifier that hinge0 has", in_quotes(type)));
        if (kernel == "linear") {
            kernel_ = LinearKernel{};
        } else if (kernel == "rbf") {
            kernel_ = RbfKernel{number(value("gamma"), "gamma")};
        } else if (kernel == "polynomial") {
            kernel_ = PolynomialKernel{
                .gamma = number(value("gamma"), "gamma"),
                .coef0 = number(value("coef0"), "coef0"),
                .degree = static_cast<int>(integer(value("degree"), "degree", 1, 100))};
        } else {
            fail(fmt::format("kernel_type {} is not one of linear, polynomial and rbf",
                             in_quotes(kernel)));
        }
        try {
            validate(kernel_);
        } catch (const InvalidInput &error) {
            fail(error.what());
        }
        classes_ = integer(value("nr_class"), "nr_class", 2, 30'000);
        // "0 " is the shortest coefficient: so many lines the rest of the file can hold.
        total_ = integer(value("total_sv"), "total_sv", 0,
                         static_cast<Index>(left_.size()) / (2 * (classes_ - 1)));
        const auto count = static_cast<std::size_t>(classes_);
        Index sum = 0;
        for (const std::string &one : values("nr_sv", count)) {
            const Index of_class = integer(one, "nr_sv", 0, total_);
            sum += of_class;
            first_.push_back(sum);
        }
        if (sum != total_) fail(fmt::format("nr_sv adds up to {}, total_sv is {}", sum, total_));
        (void)values("label", count);
        (void)values("rho", static_cast<std::size_t>(pair_count(Scheme::ovo, classes_)));
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
    /// Classes stay in LIBSVM's order: of equal votes the first wins.
    Classifier finish() {
        Classifier result;
        result.kernel = kernel_;
        for (const std::string &label : head_["label"]) {
            const double value = number(label, "label");
            if (value != std::floor(value))
                fail(fmt::format("label {} is not a whole number", in_quotes(label)));
            result.classes.push_back(canonical_label(label).value());
        }
        std::vector<std::string> sorted = result.classes;
        std::ranges::sort(sorted);
        if (std::ranges::adjacent_find(sorted) != sorted.end())
            fail("two classes have the same label");
        for (Index k = 0; k < pair_count(Scheme::ovo, classes_); ++k)
            result.pairs.push_back(pair(k));
        result.features = std::max<Index>(features_, 1);
        support_.conservativeResize(total_, result.features);
        result.support = support_;
        result.rows.resize(static_cast<std::size_t>(total_));
        std::iota(result.rows.begin(), result.rows.end(), Index{0});
        result.loss = HingeLoss{};
        result.C = 1;
        result.class_weight.assign(result.classes.size(), 1.0);
        result.training_rows = std::max<Index>(total_, 1);
        try {
            validate(result);
        } catch (const InvalidInput &error) {
            fail(error.what());
        }
        return result;
    }
    /// Theirs speaks for its first class, ours for the second.
    [[nodiscard]] Pair pair(Index k) const {
        Pair result;
        result.classes = pair_classes(Scheme::ovo, classes_, k);
        const auto [low, high] = result.classes;
        result.bias = number(head_.at("rho")[static_cast<std::size_t>(k)], "rho");
        std::vector<double> found;
        const auto take = [&](Index of, Index column) {
            const auto at = static_cast<std::size_t>(of);
            for (Index row = first_[at]; row < first_[at + 1]; ++row) {
                if (coefficients_(row, column) == 0) continue;
                result.support.push_back(row);
                found.push_back(-coefficients_(row, column));
            }
        };
        take(low, high - 1);
        take(high, low);
        result.coefficients = Eigen::Map<const Vector>(found.data(), std::ssize(found));
        return result;
    }

    std::string_view left_, line_;
    const std::string &name_;
    std::size_t line_number_ = 0;
    std::map<std::string, std::vector<std::string>> head_;
    Kernel kernel_;
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
