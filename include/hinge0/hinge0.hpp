#pragma once
/// Everything a user of the library needs.
#include "hinge0/dataset.hpp"
#include "hinge0/error.hpp"
#include "hinge0/kernel.hpp"
#include "hinge0/loss.hpp"
#include "hinge0/model.hpp"
#include "hinge0/report.hpp"
#include "hinge0/settings.hpp"
#include "hinge0/solver.hpp"
#include "hinge0/train.hpp"
#include "hinge0/tune.hpp"
#include "hinge0/verify.hpp"
#include "hinge0/version.hpp"
