/// What of a question and its answers a fit cannot do without.
#include "hinge0/partitions.hpp"
#include "partitions/question.hpp"
#include "partitions/said.hpp"

namespace hinge0 {
namespace {

constexpr Index number_bytes = 8, column_bytes = 4;

Index bytes_of(const Samples &samples) {
    if (const auto *const dense = std::get_if<DenseRows>(&samples))
        return number_bytes * dense->size();
    return (number_bytes + column_bytes) * std::get<SparseRows>(samples).nonZeros();
}

/// A row and its price.
Index bytes_of(const HandedRows &rows) {
    return bytes_of(rows.samples) + number_bytes * rows.prices.size();
}

/// Of candidates their numbers and margins.
Index bytes_of(const BlockScore &score) {
    return 2 * number_bytes * (std::ssize(score.found[0]) + std::ssize(score.found[1]));
}

} // namespace

Index bytes_needed(std::string_view common, const std::vector<std::string> &answers) {
    Reader question(common);
    const Setup setup = Setup::read(question);
    const bool about_rows = setup.kind == Kind::sample || setup.kind == Kind::rows;
    Index bytes = 0;
    if (!about_rows) {
        const Model h = read_classifier(question, setup.features);
        bytes = bytes_of(h.support) + number_bytes * h.coefficients.size();
    }
    for (const std::string &said : answers) {
        Reader from(said);
        if (setup.kind == Kind::sample) (void)from.get_rising();
        if (about_rows) bytes += bytes_of(read_rows(from));
        if (setup.kind == Kind::keep || setup.kind == Kind::score)
            bytes += bytes_of(read_score(from, 0));
    }
    return bytes;
}

} // namespace hinge0
