#include "cmd/command_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

namespace sightline::cmd {
namespace {

constexpr std::array<std::string_view, 6> kFileOptions = {"PATH",   "FILE",     "--image",
                                                          "--data", "--config", "--root"};

CommandOption ReadOption(const CLI::Option& option) {
  CommandOption read;
  read.is_positional = option.get_positional();
  if (!option.get_lnames().empty()) read.long_name = "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) read.short_name = "-" + option.get_snames().front();
  read.description = option.get_description();
  read.is_required = option.get_required();
  if (read.is_positional) {
    read.value = option.get_name(true, false);
  } else if (option.get_items_expected_max() > 0) {
    read.value = "VALUE";
  }
  const std::string& name = read.is_positional ? read.value : read.long_name;
  read.takes_file = std::find(kFileOptions.begin(), kFileOptions.end(), name) != kFileOptions.end();
  if (read.is_positional && option.get_items_expected_max() > 1) read.value += "…";
  if (name == "--state") read.choices = {"queued", "processing", "ready", "failed"};
  if (name == "--kind") read.choices = {"pdf", "image", "video", "audio", "text"};
  if (name == "SHELL") read.choices = {"bash", "zsh", "fish"};
  return read;
}

std::vector<CommandOption> ReadOptions(const CLI::App& app) {
  std::vector<CommandOption> options;
  for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
    const bool is_help = option->check_lname("help");
    if (!is_help) options.push_back(ReadOption(*option));
  }
  return options;
}

CommandNode ReadNode(const CLI::App& app) {
  CommandNode node;
  node.name = app.get_name();
  node.summary = app.get_description();
  node.options = ReadOptions(app);
  for (const CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; })) {
    node.children.push_back(ReadNode(*child));
  }
  return node;
}

}  // namespace

const CommandNode* CommandTree::Find(std::string_view name) const {
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [name](const CommandNode& node) { return node.name == name; });
  return found == verbs.end() ? nullptr : &*found;
}

std::vector<std::string> CommandTree::VerbNames() const {
  std::vector<std::string> names;
  for (const CommandNode& node : verbs) names.push_back(node.name);
  return names;
}

std::vector<std::string> CommandTree::OptionNames(const CommandNode& node) const {
  std::vector<std::string> names = {"--help"};
  const auto add = [&names](const std::vector<CommandOption>& options) {
    for (const CommandOption& option : options) {
      if (!option.long_name.empty()) names.push_back(option.long_name);
    }
  };
  add(node.options);
  for (const CommandNode& child : node.children) add(child.options);
  add(globals);
  return names;
}

CommandTree ReadCommandTree(const CLI::App& app, const std::vector<std::unique_ptr<Verb>>& verbs) {
  CommandTree tree;
  tree.globals = ReadOptions(app);
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandNode node = ReadNode(*sub);
    for (const std::unique_ptr<Verb>& verb : verbs) {
      if (verb->name() != node.name) continue;
      node.description = verb->description();
      node.examples = verb->examples();
    }
    tree.verbs.push_back(std::move(node));
  }
  return tree;
}

}  // namespace sightline::cmd
