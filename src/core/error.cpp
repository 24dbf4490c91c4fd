/// One line for every error: what names files and labels may hold any byte.
#include "hinge0/error.hpp"

#include "core/printable.hpp"

namespace hinge0 {

Error::Error(const std::string &what, const std::string &where)
    : std::runtime_error(printable(where.empty() ? what : what + ": " + where)) {}

} // namespace hinge0
