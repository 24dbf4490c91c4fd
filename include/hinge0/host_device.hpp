#pragma once
/// Marks the scalar formulas that every back end shares, so that each exists once. They are always
/// inlined: the tile maps compile them for several instruction sets, and a stray out-of-line copy
/// built for the newest one must not be linked into code that runs on the oldest.
#ifdef __CUDACC__
#define HINGE0_HD __host__ __device__ __forceinline__
#else
#define HINGE0_HD [[gnu::always_inline]] inline
#endif
