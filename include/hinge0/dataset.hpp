#pragma once
/// Samples with labels: as read (Table), checked for training (LabelledData), with two classes
/// (Dataset).
/// Everything after the door may assume a Dataset valid.
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "hinge0/types.hpp"

namespace hinge0 {

/// What a data file holds: finite numbers, and labels in the writing that hinge0 prints.
/// Numeric labels are written in one way ("+1", "1" and "1.0" are all "1").
struct Table {
    Samples samples;
    std::vector<std::string> label_names; ///< distinct labels, in order of appearance
    std::vector<std::int32_t> labels;     ///< per row, index into label_names; empty if unlabelled
    Vector weights{};                     ///< per row, from 0; empty: all 1

    [[nodiscard]] bool labelled() const noexcept { return !labels.empty(); }
};

enum class Format { detect, libsvm, csv };

struct ReadOptions {
    Format format = Format::detect; ///< detect: by ".csv" in the name, else by the first data line
    std::string label_column = {};  ///< CSV: name of the label column; empty: the first column
    std::string weight_column = {}; ///< CSV: name of a column of weights; empty: there is none
    bool labelled = true;           ///< CSV: false when the file holds features only
    bool precomputed = false;       ///< LIBSVM: accept LIBSVM's leading "0:serial" pair
    Index features = 0;             ///< LIBSVM: at least so many columns (0: as many as seen)
    double memory_limit = 0;        ///< bytes; 0: what the machine has available
    int threads = 0;                ///< that parse; 0: all cores
    /// Asked about every MiB; true ends the reading by Interrupted.
    std::function<bool()> should_stop = {};
};

/// Reads LIBSVM text or CSV, plain or compressed (gzip, bzip2, xz: told by content); "-" is
/// standard input. LIBSVM text becomes SparseRows, CSV becomes DenseRows.
/// Throws FileError "<what>: <file>:<line>" on the first malformed line.
[[nodiscard]] Table read_table(const std::filesystem::path &file, const ReadOptions &options = {});

/// Rows of two or more classes.
class LabelledData {
public:
    /// Classes in the order of their labels: as numbers if all are numbers, else as text. With
    /// `positive`, that label is the second class and all others together are the first, named
    /// "rest" if they are several.
    /// Throws InvalidInput on no rows, one class, over 1,000 classes, values that are not finite.
    explicit LabelledData(Table table, const std::string &positive = {});
    /// The same for labels given as text, one per row.
    LabelledData(Samples samples, const std::vector<std::string> &labels,
                 const std::string &positive = {});

    [[nodiscard]] const Samples &samples() const &noexcept { return samples_; }
    [[nodiscard]] Samples &&samples() &&noexcept { return std::move(samples_); }
    [[nodiscard]] const std::vector<std::string> &classes() const noexcept { return classes_; }
    /// Of each row, an index into classes().
    [[nodiscard]] const std::vector<std::int32_t> &labels() const noexcept { return labels_; }
    [[nodiscard]] Index size() const noexcept { return static_cast<Index>(labels_.size()); }
    [[nodiscard]] Index features() const { return feature_count(samples_); }
    /// The same rows with other features, scaled ones say.
    [[nodiscard]] LabelledData with_samples(Samples samples) const;
    /// +1 for the rows of class `high`, -1 for those of `low` (negative: for all others), 0 for
    /// the rest.
    [[nodiscard]] Vector signs(Index low, Index high) const;

private:
    LabelledData() = default;

    Samples samples_;
    std::vector<std::int32_t> labels_;
    std::vector<std::string> classes_;
};

class Dataset {
public:
    /// Two classes: -1 is the smaller label (as numbers if both are numbers, else as text), +1 the
    /// larger. With `positive`, that label is +1 and all others together are -1, named "rest" if
    /// they are several.
    /// Throws InvalidInput on no rows, one class, over two classes, values that are not finite.
    explicit Dataset(Table table, const std::string &positive = {});
    /// The same for labels given as text, one per row.
    Dataset(Samples samples, const std::vector<std::string> &labels,
            const std::string &positive = {});
    /// Of two classes. Throws InvalidInput if there are more.
    explicit Dataset(LabelledData data);

    [[nodiscard]] const Samples &samples() const &noexcept { return samples_; }
    [[nodiscard]] Samples &&samples() &&noexcept { return std::move(samples_); }
    /// The same rows with other features, scaled ones say.
    [[nodiscard]] Dataset with_samples(Samples samples) const;
    [[nodiscard]] const Vector &signs() const noexcept { return signs_; }
    /// The labels of -1 and +1.
    [[nodiscard]] const std::array<std::string, 2> &classes() const noexcept { return classes_; }
    [[nodiscard]] Index size() const noexcept { return signs_.size(); }
    [[nodiscard]] Index features() const { return feature_count(samples_); }

private:
    Dataset() = default;

    Samples samples_;
    Vector signs_;
    std::array<std::string, 2> classes_;
};

/// Features brought to mean 0 and standard deviation 1; a constant feature is only shifted.
struct Scaling {
    Vector mean, scale; ///< empty: no scaling

    [[nodiscard]] bool empty() const noexcept { return mean.size() == 0; }
};

/// Mean and population standard deviation of every feature (scikit-learn's StandardScaler).
/// `weight`: how often each row counts; empty: once.
[[nodiscard]] Scaling standard_scaling(const Samples &samples, const Vector &weight = {});
/// (x - mean) / scale for every row; the result is dense. An empty scaling returns a copy.
[[nodiscard]] Samples scaled(const Scaling &scaling, const Samples &samples);

/// The paper's synthetic sets, equal to scikit-learn's make_moons and make_circles with the same
/// random_state up to the last bits of sine and cosine; labels "-1" and "1".
struct Synthetic {
    Index samples = 500;
    double noise = 0.1;
    double factor = 0.1; ///< circles: inner radius / outer radius
    double flip = 0.0;   ///< share of all labels then flipped, in [0, 1]
    std::uint32_t seed = 0;
    bool shuffle = true; ///< false: the classes one after the other
};
[[nodiscard]] Table make_moons(const Synthetic &options);
[[nodiscard]] Table make_circles(const Synthetic &options);
/// Writes LIBSVM text with shortest round-trip numbers; "-" is standard output.
void write_libsvm(const Table &table, const std::filesystem::path &file);

} // namespace hinge0
