/// The loops in single precision; after bodies.hpp, and compiled like it.

namespace hinge0::HINGE0_ISA {
namespace {

constexpr Index terms_at_once = HINGE0_COLUMNS_AT_ONCE;

using SinglePanel = OfRows<float, single_panel_rows>;

/// One panel against `cols` terms.
template <Index cols>
inline void add_terms(const float *a, const SingleTerms &terms, Index j, float *value,
                      float *scale) {
    SinglePanel sums[cols] = {};
    const float *const z = terms.rows + j * terms.features;
    for (Index f = 0; f < terms.features; ++f) {
        SinglePanel values;
        load(values, a + f * single_panel_rows);
#pragma GCC unroll 8
        for (Index c = 0; c < cols; ++c) {
#pragma GCC unroll 4
            for (Index r = 0; r < SinglePanel::count; ++r) {
                const SinglePanel::Register apart = values.parts[r] - z[c * terms.features + f];
                sums[c].parts[r] += apart * apart;
            }
        }
    }
    float distance[cols][single_panel_rows];
#pragma GCC unroll 8
    for (Index c = 0; c < cols; ++c) store(distance[c], sums[c]);
    for (Index c = 0; c < cols; ++c) {
        const float weight = terms.weight[j + c], size = weight < 0 ? -weight : weight;
#pragma omp simd
        for (Index i = 0; i < single_panel_rows; ++i) {
            const float far = terms.gamma * distance[c][i], t = far < 87.0F ? far : 87.0F;
            const float k = exponential(-t);
            value[i] += weight * k;
            scale[i] += size * k * (1.0F + t);
        }
    }
}

void add_rbf_terms(const float *panels, Index rows, const SingleTerms &terms, float *value,
                   float *scale) {
    for (Index i = 0; i < rows; i += single_panel_rows) {
        const float *const a = panels + i * terms.features;
        Index j = 0;
        for (; j + terms_at_once <= terms.count; j += terms_at_once)
            add_terms<terms_at_once>(a, terms, j, value + i, scale + i);
        for (; j < terms.count; ++j) add_terms<1>(a, terms, j, value + i, scale + i);
    }
}

} // namespace
} // namespace hinge0::HINGE0_ISA
