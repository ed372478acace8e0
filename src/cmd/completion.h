// Completion scripts for shells.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cmd/command_tree.h"

namespace sightline::cmd {

/// The script for "bash", "zsh" or "fish"; `kInvalidArgument` for another shell.
base::Result<std::string> CompletionScript(const CommandTree& tree, std::string_view shell);

}  // namespace sightline::cmd
