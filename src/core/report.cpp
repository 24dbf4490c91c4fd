/// Names of the outcomes, as the JSON report and the model file write them.
#include "hinge0/report.hpp"

namespace hinge0 {

std::string_view to_string(Status status) {
    switch (status) {
    case Status::converged:
        return "converged";
    case Status::max_iterations:
        return "max_iterations";
    case Status::time_limit:
        return "time_limit";
    case Status::interrupted:
        return "interrupted";
    }
    return "unknown";
}

} // namespace hinge0
