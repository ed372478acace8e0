// The manual page (docs/sightline.1), made from the declarations of the verbs.
#pragma once

#include <string>

#include "cmd/command_tree.h"

namespace sightline::cmd {

/// roff with the man macros.
std::string ManualPage(const CommandTree& tree);

}  // namespace sightline::cmd
