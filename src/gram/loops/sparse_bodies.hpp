/// Products of sparse rows with a block of others; after bodies.hpp, and compiled like it.

namespace hinge0::HINGE0_ISA {
namespace {

/// One sparse row and `panels` panels of right-hand rows; the products go to `out` in their order.
template <Index panels>
inline void sparse_row(const SparseLeft &a, Index i, const double *z, Index stride, double *out) {
    Panel sums[panels] = {};
    for (int k = a.starts[i]; k < a.starts[i + 1]; ++k) {
        const double *const values = z + a.features[k] * stride;
#pragma GCC unroll 8
        for (Index p = 0; p < panels; ++p) {
            Panel right;
            load(right, values + p * panel_rows);
            add<Product>(sums[p], right, a.values[k]);
        }
    }
#pragma GCC unroll 8
    for (Index p = 0; p < panels; ++p) store(out + p * panel_rows, sums[p]);
}

/// The columns [j, j + count) of a tile, count at most panels * panel_rows.
template <Index panels>
void sparse_columns(const SparseLeft &a, const double *z, Index stride, Index j, Index count,
                    const Tile &tile) {
    constexpr Index rows_at_once = 16, width = panels * panel_rows;
    double products[rows_at_once * width]; // row by row: the tile is column by column
    for (Index i0 = 0; i0 < tile.rows; i0 += rows_at_once) {
        const Index rows = tile.rows - i0 < rows_at_once ? tile.rows - i0 : rows_at_once;
        for (Index r = 0; r < rows; ++r)
            sparse_row<panels>(a, i0 + r, z + j, stride, products + r * width);
        for (Index c = 0; c < count; ++c)
            for (Index r = 0; r < rows; ++r)
                tile.data[i0 + r + (j + c) * tile.stride] = products[r * width + c];
    }
}

void sparse_products(const SparseLeft &a, const double *z, Index stride, const Tile &tile) {
    constexpr Index many = 8; // panels
    Index j = 0;
    for (; j + many * panel_rows <= tile.cols; j += many * panel_rows)
        sparse_columns<many>(a, z, stride, j, many * panel_rows, tile);
    for (; j < tile.cols; j += panel_rows)
        sparse_columns<1>(a, z, stride, j, tile.cols - j < panel_rows ? tile.cols - j : panel_rows,
                          tile);
}

} // namespace
} // namespace hinge0::HINGE0_ISA
