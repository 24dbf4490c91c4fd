#pragma once
/// Labels in formats whose text is UTF-8.
#include <string>
#include <string_view>

#include "core/printable.hpp"
#include "data/text.hpp"
#include "hinge0/classifier.hpp"
#include "hinge0/error.hpp"

namespace hinge0 {

/// Throws InvalidInput if a label is not UTF-8, or holds control characters.
inline void require_plain_labels(const Classifier &classifier, std::string_view format) {
    for (const std::string &label : classifier.classes)
        if (printable(label) != label)
            throw InvalidInput("the text of " + std::string(format) + " is UTF-8, the label " +
                               in_quotes(label) + " is not");
}

} // namespace hinge0
