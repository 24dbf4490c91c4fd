/// What every question begins with.
#include "partitions/question.hpp"

#include "hinge0/error.hpp"

namespace hinge0 {

void Setup::write(Writer &to) const {
    to.put(kind);
    for (const Index label : classes) to.put_count(static_cast<std::uint64_t>(label + 1));
    to.put_numbers(class_prices);
    to.put_count(static_cast<std::uint64_t>(features));
}

Setup Setup::read(Reader &from) {
    Setup setup;
    setup.kind = from.get<Kind>();
    for (Index &label : setup.classes) label = static_cast<Index>(from.get_count()) - 1;
    setup.class_prices = from.get_numbers();
    setup.features = static_cast<Index>(from.get_count());
    return setup;
}

void write(Writer &to, const Kernel &kernel, double bias, const Vector &coefficients,
           const Samples &support) {
    to.put(kernel);
    to.put_number(bias);
    to.put_list(std::span(coefficients.data(), static_cast<std::size_t>(coefficients.size())));
    to.put(support);
}

Model read_classifier(Reader &from, Index features) {
    Model h;
    h.kernel = from.get_kernel(features);
    h.features = features;
    h.bias = from.get_number();
    const auto coefficients = from.get_list<double>();
    h.coefficients = Eigen::Map<const Vector>(coefficients.data(), std::ssize(coefficients));
    h.support = from.get_samples();
    for (Index k = 0; k < h.coefficients.size(); ++k) h.rows.push_back(k);
    h.training_rows = h.coefficients.size();
    if (row_count(h.support) != h.coefficients.size() || feature_count(h.support) != features)
        throw InvalidInput("a question whose parts do not fit each other");
    return h;
}

} // namespace hinge0
