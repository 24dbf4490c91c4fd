/// quick_sum for one instruction set; compiled with that set's flags (CMakeLists.txt).
#define HINGE0_ISA baseline
#include "model/quick/body.hpp"
