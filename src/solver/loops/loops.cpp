/// Chooses the loops that this machine runs best.
#include "solver/loops/loops.hpp"

#include "core/instruction_set.hpp"

namespace hinge0 {

namespace baseline {
extern const Loops loops;
}
#ifdef HINGE0_X86_VARIANTS
namespace v3 {
extern const Loops loops;
}
namespace v4 {
extern const Loops loops;
}
#endif

std::vector<const Loops *> usable_loops() {
    std::vector<const Loops *> usable{&baseline::loops};
#ifdef HINGE0_X86_VARIANTS
    const InstructionSet set = instruction_set();
    if (set != InstructionSet::baseline) usable.push_back(&v3::loops);
    if (set == InstructionSet::x86_64_v4) usable.push_back(&v4::loops);
#endif
    return usable;
}

const Loops loops = *usable_loops().back();

} // namespace hinge0
