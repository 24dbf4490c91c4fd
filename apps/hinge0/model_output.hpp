#pragma once
/// Where the commands that train put their model.
#include <string>

#include "hinge0/classifier.hpp"

namespace hinge0::cli {

/// Where the model goes when -o does not say: as LIBSVM does, DATA.model in this folder.
[[nodiscard]] std::string default_output(const std::string &data);
/// "-" is standard output.
void write_model(const Model &model, const std::string &output);
void write_model(const Classifier &classifier, const std::string &output);

} // namespace hinge0::cli
