#include "cmd/completion.h"

#include <fmt/format.h>

namespace sightline::cmd {
namespace {

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Words that may follow a verb: options and the verbs of a verb.
std::string WordsAfter(const CommandTree& tree, const CommandNode& node) {
  std::vector<std::string> words;
  for (const CommandNode& child : node.children) words.push_back(child.name);
  if (node.name == "help") {
    for (const std::string& verb : tree.VerbNames()) words.push_back(verb);
  }
  for (const CommandOption& option : node.options) {
    if (option.is_positional)
      words.insert(words.end(), option.choices.begin(), option.choices.end());
  }
  for (const std::string& option : tree.OptionNames(node)) words.push_back(option);
  return Joined(words);
}

/// Cases of bash for what follows an option: choices, or files.
std::string ValueCases(const CommandTree& tree) {
  std::string text;
  const auto add = [&text](const CommandOption& option) {
    if (option.is_positional || option.value.empty() || option.long_name.empty()) return;
    std::string pattern = option.long_name;
    if (!option.short_name.empty()) pattern += "|" + option.short_name;
    if (!option.choices.empty()) {
      text += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                          pattern, Joined(option.choices));
    } else if (option.takes_file) {
      text += fmt::format("    {}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", pattern);
    }
  };
  for (const CommandOption& option : tree.globals) add(option);
  for (const CommandNode& verb : tree.verbs) {
    for (const CommandOption& option : verb.options) add(option);
  }
  return text;
}

std::string Bash(const CommandTree& tree) {
  std::string text =
      "# bash completion for sightline. Use: source <(sightline completion bash)\n"
      "_sightline() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb=\n"
      "  local i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case ${COMP_WORDS[i]} in\n";
  std::string names;
  for (const std::string& name : tree.VerbNames()) names += (names.empty() ? "" : "|") + name;
  text += "      " + names + ") verb=${COMP_WORDS[i]}; break ;;\n    esac\n  done\n";
  text +=
      "  compopt -o filenames 2>/dev/null\n  case $previous in\n" + ValueCases(tree) + "  esac\n";
  text += "  local words\n  case $verb in\n";
  std::string files;
  for (const CommandNode& verb : tree.verbs) {
    text += fmt::format("    {}) words='{}' ;;\n", verb.name, WordsAfter(tree, verb));
    for (const CommandOption& option : verb.options) {
      if (option.is_positional && option.takes_file)
        files += (files.empty() ? "" : "|") + verb.name;
    }
  }
  text += fmt::format("    *) words='{} --help --version' ;;\n  esac\n", Joined(tree.VerbNames()));
  text += "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n";
  text += fmt::format(
      "  case $verb in\n    {}) [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- \"$word\")) ;;\n"
      "  esac\n}}\ncomplete -F _sightline sightline\n",
      files);
  return text;
}

/// Text inside single quotes of a shell.
std::string Quoted(const std::string& text) {
  std::string quoted;
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted;
}

/// Zsh's specification of an option: name, explanation, what follows.
std::string ZshOption(const CommandOption& option) {
  std::string explanation;
  for (const char c : option.description) {
    if (c == '[' || c == ']' || c == ':') explanation += '\\';
    explanation += c;
  }
  std::string action;
  if (!option.value.empty()) {
    action = ":value:";
    if (!option.choices.empty()) action += fmt::format("({})", Joined(option.choices));
    if (option.takes_file) action += "_files";
  }
  if (option.is_positional) return fmt::format("'*{}'", action.empty() ? ":value:" : action);
  return fmt::format("'{}[{}]{}'", option.long_name, Quoted(explanation), action);
}

std::string Zsh(const CommandTree& tree) {
  std::string text =
      "#compdef sightline\n# zsh completion for sightline. Use: sightline completion zsh > "
      "~/.zfunc/_sightline\n_sightline() {\n  local -a verbs\n  verbs=(\n";
  for (const CommandNode& verb : tree.verbs) {
    text += fmt::format("    '{}:{}'\n", verb.name, Quoted(verb.summary));
  }
  text += "  )\n  local curcontext=$curcontext state line\n  _arguments -C";
  for (const CommandOption& option : tree.globals)
    text += fmt::format(" \\\n    {}", ZshOption(option));
  text +=
      " \\\n    '1:verb:->verb' \\\n    '*::argument:->argument'\n  case $state in\n"
      "    verb) _describe verb verbs ;;\n    argument)\n      case $line[1] in\n";
  for (const CommandNode& verb : tree.verbs) {
    text += "        " + verb.name + ") _arguments";
    for (const CommandOption& option : verb.options) text += fmt::format(" {}", ZshOption(option));
    if (!verb.children.empty()) {
      std::vector<std::string> names;
      for (const CommandNode& child : verb.children) names.push_back(child.name);
      text += " '1:action:(" + Joined(names) + ")'";
    }
    if (verb.name == "help") text += " '1:verb:(" + Joined(tree.VerbNames()) + ")'";
    text += " ;;\n";
  }
  // As a file of $fpath the script is the function's first call, and has to answer it.
  return text +
         "      esac ;;\n  esac\n}\nif [[ $funcstack[1] == _sightline ]]; then\n  _sightline "
         "\"$@\"\n"
         "else\n  compdef _sightline sightline\nfi\n";
}

std::string FishOption(const std::string& condition, const CommandOption& option) {
  if (option.is_positional || option.long_name.empty()) return "";
  std::string line = "complete -c sightline " + condition + " -l " + option.long_name.substr(2);
  if (!option.short_name.empty()) line += " -s " + option.short_name.substr(1);
  if (!option.value.empty()) line += option.takes_file ? " -r -F" : " -x";
  if (!option.choices.empty()) line += " -a '" + Joined(option.choices) + "'";
  return line + " -d '" + Quoted(option.description) + "'\n";
}

std::string Fish(const CommandTree& tree) {
  std::string text =
      "# fish completion for sightline. Use: sightline completion fish > "
      "~/.config/fish/completions/sightline.fish\n";
  for (const CommandOption& option : tree.globals) text += FishOption("", option);
  for (const CommandNode& verb : tree.verbs) {
    text += fmt::format("complete -c sightline -n __fish_use_subcommand -f -a {} -d '{}'\n",
                        verb.name, Quoted(verb.summary));
    const std::string inside = fmt::format("-n '__fish_seen_subcommand_from {}'", verb.name);
    for (const CommandOption& option : verb.options) {
      text += FishOption(inside, option);
      if (option.is_positional && !option.choices.empty()) {
        text +=
            fmt::format("complete -c sightline {} -f -a '{}'\n", inside, Joined(option.choices));
      }
    }
    for (const CommandNode& child : verb.children) {
      text += fmt::format("complete -c sightline {} -f -a {} -d '{}'\n", inside, child.name,
                          Quoted(child.summary));
    }
    if (verb.name == "help") {
      text +=
          fmt::format("complete -c sightline {} -f -a '{}'\n", inside, Joined(tree.VerbNames()));
    }
  }
  return text;
}

}  // namespace

base::Result<std::string> CompletionScript(const CommandTree& tree, std::string_view shell) {
  if (shell == "bash") return Bash(tree);
  if (shell == "zsh") return Zsh(tree);
  if (shell == "fish") return Fish(tree);
  return base::InvalidArgument("there is no completion for this shell (bash, zsh, fish): " +
                               std::string(shell));
}

}  // namespace sightline::cmd
