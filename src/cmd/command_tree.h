// The command line as data: verbs, options, examples; what help, completion and the man page show.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/verb.h"

namespace CLI {
class App;
}

namespace sightline::cmd {

/// An option or a positional argument.
struct CommandOption {
  std::string short_name;  ///< "-k", or empty
  std::string long_name;   ///< "--top-k", or empty for a positional one
  std::string value;       ///< "TEXT", "N"; empty for a flag; the name of a positional one
  std::string description;
  bool is_positional = false;
  bool is_required = false;
  bool takes_file = false;
  std::vector<std::string> choices;  ///< when only some values are allowed
};

/// A verb, or a verb of a verb.
struct CommandNode {
  std::string name;
  std::string summary;
  std::string description;
  std::vector<Example> examples;
  std::vector<CommandOption> options;
  std::vector<CommandNode> children;
};

/// All verbs, and the options that every verb takes.
struct CommandTree {
  std::vector<CommandNode> verbs;
  std::vector<CommandOption> globals;

  /// The verb of that name, or null.
  const CommandNode* Find(std::string_view name) const;
  std::vector<std::string> VerbNames() const;
  /// Long names of a verb's own and the global options.
  std::vector<std::string> OptionNames(const CommandNode& node) const;
};

/// Reads what was declared.
CommandTree ReadCommandTree(const CLI::App& app, const std::vector<std::unique_ptr<Verb>>& verbs);

}  // namespace sightline::cmd
