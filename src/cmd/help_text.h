// Help for a terminal.
#pragma once

#include <string>

#include "cmd/command_tree.h"

namespace sightline::cmd {

/// What `sightline help` prints: verbs, global options, exit status.
std::string OverviewText(const CommandTree& tree);
/// What `sightline help VERB` prints: use, description, options, examples.
std::string VerbText(const CommandTree& tree, const CommandNode& verb);
/// "sightline search [QUERY…] [options]".
std::string UseText(const CommandNode& verb);
/// "-k, --top-k VALUE".
std::string OptionText(const CommandOption& option);

}  // namespace sightline::cmd
