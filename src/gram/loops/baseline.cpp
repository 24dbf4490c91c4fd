/// The tile loops for one instruction set; compiled with that set's flags (CMakeLists.txt).
#define HINGE0_ISA baseline
#define HINGE0_REGISTER_BYTES 16
#define HINGE0_COLUMNS_AT_ONCE 2 // what its registers hold
#include "gram/loops/bodies.hpp"
#include "gram/loops/single_bodies.hpp"
#include "gram/loops/sparse_bodies.hpp"
#include "gram/loops/table.hpp"
