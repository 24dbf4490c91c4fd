/// Chooses the loops that this machine runs best.
#include "model/quick/quick_sum.hpp"

#include "core/instruction_set.hpp"

namespace hinge0 {

namespace baseline {
void quick_sum(const QuickTerms &, const double *, double *, QuickSum &);
}
#ifdef HINGE0_X86_VARIANTS
namespace v3 {
void quick_sum(const QuickTerms &, const double *, double *, QuickSum &);
}
namespace v4 {
void quick_sum(const QuickTerms &, const double *, double *, QuickSum &);
}
#endif

void quick_sum(const QuickTerms &terms, const double *x, double *scratch, QuickSum &out) {
#ifdef HINGE0_X86_VARIANTS
    static const InstructionSet chosen = instruction_set();
    if (chosen == InstructionSet::x86_64_v4) return v4::quick_sum(terms, x, scratch, out);
    if (chosen == InstructionSet::x86_64_v3) return v3::quick_sum(terms, x, scratch, out);
#endif
    baseline::quick_sum(terms, x, scratch, out);
}

} // namespace hinge0
