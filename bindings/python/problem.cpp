/// Kernel and rows, in the library's own types.
#include "problem.hpp"

namespace hinge0::python {

KernelOptions::KernelOptions(std::string word, const Gamma &gamma, int degree, double coef0,
                             double beta)
    : name(std::move(word)), parameters{
                                 .gamma = gamma, .coef0 = coef0, .beta = beta, .degree = degree} {}

Dataset dataset_of(Samples samples, const Signs &signs) {
    Table table{std::move(samples), {"-1", "1"}, {}};
    for (std::size_t i = 0; i < signs.size(); ++i)
        table.labels.push_back(signs.data()[i] > 0 ? 1 : 0);
    return Dataset(std::move(table));
}

LabelledData labelled(Samples samples, const Integers &labels, Index classes) {
    Table table{std::move(samples), {}, {}};
    for (Index c = 0; c < classes; ++c) table.label_names.push_back(std::to_string(c));
    for (std::size_t i = 0; i < labels.size(); ++i)
        table.labels.push_back(static_cast<std::int32_t>(labels.data()[i]));
    return LabelledData(std::move(table));
}

} // namespace hinge0::python
