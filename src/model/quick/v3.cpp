/// quick_sum for one instruction set; compiled with that set's flags (CMakeLists.txt).
#define HINGE0_ISA v3
#include "model/quick/body.hpp"
