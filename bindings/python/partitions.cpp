/// Fits of rows that live elsewhere: questions go out through a Python function, and partitions
/// answer where they are. Only converts, as module.cpp does.
#include "partitions.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>

#include "arrays.hpp"
#include "hinge0/hinge0.hpp"
#include "problem.hpp"
#include "report.hpp"
#include "watcher.hpp"

using namespace nanobind::literals;

namespace hinge0::python {
namespace {

using Labels = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::string_view view(const nb::bytes &bytes) { return {bytes.c_str(), bytes.size()}; }
nb::bytes to_bytes(const std::string &text) { return nb::bytes(text.data(), text.size()); }

std::tuple<nb::bytes, nb::bytes> answer_of(const Rows &X, const Labels &labels,
                                           const std::optional<Doubles> &weight, Index first,
                                           const nb::bytes &common, const nb::bytes &own,
                                           const nb::bytes &kept) {
    Answer found;
    {
        const nb::gil_scoped_release released;
        Partition partition{.samples = to_samples(X),
                            .labels = {labels.data(), labels.data() + labels.size()},
                            .first = first};
        if (weight) partition.weight = to_vector(*weight);
        found = answer(partition, view(common), view(own), view(kept));
    }
    return {to_bytes(found.said), to_bytes(found.kept)};
}

/// ask(name, common, partitions, own) -> answers, as a function of the library.
Ask asking(const nb::object &ask) {
    return [&ask](const Question &question) {
        const nb::gil_scoped_acquire gil;
        nb::list own;
        for (const std::string &bytes : question.own) own.append(to_bytes(bytes));
        const nb::object said = ask(nb::str(question.name.data(), question.name.size()),
                                    to_bytes(question.common), question.partitions, own);
        std::vector<std::string> answers;
        for (const nb::handle one : said) answers.emplace_back(view(nb::cast<nb::bytes>(one)));
        if (answers.size() != question.partitions.size())
            throw InvalidInput("not every partition has answered");
        return answers;
    };
}

Index bytes_needed_of(const nb::bytes &common, const std::vector<nb::bytes> &answers) {
    std::vector<std::string> said;
    for (const nb::bytes &one : answers) said.emplace_back(view(one));
    return bytes_needed(view(common), said);
}

nb::object to_python(const Samples &samples) {
    if (const auto *const dense = std::get_if<DenseRows>(&samples)) {
        const auto size = static_cast<std::size_t>(dense->size());
        auto values = to_numpy<double>(std::span(dense->data(), size));
        return nb::cast(values).attr("reshape")(dense->rows(), dense->cols());
    }
    const auto &sparse = std::get<SparseRows>(samples);
    const auto entries = static_cast<std::size_t>(sparse.nonZeros());
    const auto rows = static_cast<std::size_t>(sparse.rows());
    const nb::tuple parts =
        nb::make_tuple(to_numpy<double>(std::span(sparse.valuePtr(), entries)),
                       to_numpy<std::int32_t>(std::span(sparse.innerIndexPtr(), entries)),
                       to_numpy<std::int32_t>(std::span(sparse.outerIndexPtr(), rows + 1)));
    return nb::module_::import_("scipy.sparse")
        .attr("csr_matrix")(parts, nb::make_tuple(sparse.rows(), sparse.cols()));
}

Dict fit_partitions(Index features, std::vector<Index> first, std::vector<std::vector<Index>> rows,
                    std::vector<std::vector<double>> weight, const nb::object &ask,
                    std::array<Index, 2> classes, const KernelOptions &kernel_options, double C,
                    const std::vector<double> &class_weight, const Settings &settings,
                    nb::object callback) {
    Watcher watcher(std::move(callback));
    const Partitions partitions{.features = features,
                                .first = std::move(first),
                                .rows = std::move(rows),
                                .weight = std::move(weight),
                                .ask = asking(ask)};
    Fit fit;
    try {
        const nb::gil_scoped_release released;
        const Kernel kernel = make_kernel(kernel_options.name, kernel_options.parameters, features);
        fit = train(partitions, classes, kernel, C, class_weight, settings, std::ref(watcher));
    } catch (const Interrupted &) {
        watcher.rethrow();
        throw;
    }
    watcher.rethrow();
    Dict result;
    result["rows"] = to_numpy<std::int64_t>(fit.model.rows);
    result["coefficients"] = to_numpy<double>(fit.model.coefficients);
    result["bias"] = fit.model.bias;
    result["support_vectors"] = to_python(fit.model.support);
    result["report"] = to_dict(fit.report);
    return result;
}

} // namespace

void add_partitions(nb::module_ &module) {
    module.def("answer", &answer_of, "X"_a, "labels"_a.noconvert(), "weight"_a.none(), "first"_a,
               "common"_a, "own"_a, "kept"_a,
               "What a partition says to a question, and which rows it keeps.");
    module.def("bytes_needed", &bytes_needed_of, "common"_a, "answers"_a,
               "Of the bytes of a question and its answers those of support vectors, candidates "
               "and rows.");
    module.def("fit_partitions", &fit_partitions, nb::kw_only(), "features"_a, "first"_a, "rows"_a,
               "weight"_a, "ask"_a, "classes"_a, "kernel"_a, "C"_a, "class_weight"_a, "settings"_a,
               "callback"_a.none(),
               "Train two classes of rows in partitions; the keys of the result are rows, "
               "coefficients, bias, support_vectors and report.");
}

} // namespace hinge0::python
