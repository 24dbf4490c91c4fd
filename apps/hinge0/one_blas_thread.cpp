/// Keeps OpenBLAS, linked into the program, from starting threads that are never used: it does so
/// before main(), unless told otherwise by the environment.
#include <cstdlib>

namespace {
// 101 is the earliest priority a program may take; OpenBLAS has the usual one, which is later.
[[gnu::constructor(101)]] void ask_for_one_blas_thread() { setenv("OPENBLAS_NUM_THREADS", "1", 1); }
} // namespace
