/// Fits and captions of the panels.
#include "panels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fits.hpp"

namespace hinge0::paper {

std::vector<Panel> panels(int figure, int threads) {
    std::vector<Panel> result;
    for (const Row &row : rows()) {
        if (row.table != figure) continue;
        const Data data = load(row).value(); // generated, so never missing
        const Split parts = split(data.signs.size(), row.split_seed());
        const Problem p = problem(row, data, parts);
        Fitted fit = fit_exact(p, method::exact, row.C, p.rho, threads);
        const Outcome &o = fit.outcome;
        Panel panel{.title =
                        fmt::format("{}) {}", static_cast<char>('a' + result.size()), row.title),
                    .subtitle = fmt::format("{} support vectors, train {:.2f} %, test {:.2f} %",
                                            o.support_vectors, o.train, o.test),
                    .model = std::move(fit.model),
                    .train = p.train,
                    .flipped = {}};
        for (const Index i : parts.train)
            panel.flipped.push_back(std::ranges::find(data.flipped, i) != data.flipped.end());
        result.push_back(std::move(panel));
    }
    return result;
}

} // namespace hinge0::paper
