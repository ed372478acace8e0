#include "cmd/help_text.h"

#include <fmt/format.h>

#include "cmd/display_text.h"

namespace sightline::cmd {
namespace {

constexpr size_t kHelpColumns = 80;

/// Lines of at most 80 columns, broken at spaces.
std::string Wrapped(const std::string& text) {
  std::string wrapped;
  std::string line;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && DisplayWidth(line) + 1 + DisplayWidth(word) > kHelpColumns) {
      wrapped += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return wrapped + line + "\n";
}

std::string OptionLines(const std::vector<CommandOption>& options) {
  constexpr size_t kNameColumns = 26;
  std::string text;
  for (const CommandOption& option : options) {
    std::string name = OptionText(option);
    const size_t width = DisplayWidth(name);
    name += width < kNameColumns ? std::string(kNameColumns - width, ' ') : " ";
    text += "  " + name + option.description + "\n";
  }
  return text;
}

}  // namespace

std::string OptionText(const CommandOption& option) {
  if (option.is_positional) return option.value;
  std::string text = option.short_name;
  if (!option.long_name.empty()) text += (text.empty() ? "    " : ", ") + option.long_name;
  return option.value.empty() ? text : text + " " + option.value;
}

std::string UseText(const CommandNode& verb) {
  std::string text = "sightline " + verb.name;
  if (!verb.children.empty()) {
    std::string names;
    for (const CommandNode& child : verb.children) names += (names.empty() ? "" : "|") + child.name;
    text += " " + names;
  }
  for (const CommandOption& option : verb.options) {
    if (option.is_positional) {
      text += option.is_required ? " " + option.value : " [" + option.value + "]";
    }
  }
  return text + " [options]";
}

std::string OverviewText(const CommandTree& tree) {
  std::string text =
      "Sightline finds the page or the moment that shows it, in PDF files, pictures and videos,\n"
      "by words in Chinese or English or by a picture.\n\nUse: sightline VERB [options]\n\nVerbs\n";
  for (const CommandNode& verb : tree.verbs) {
    text += fmt::format("  {:<12}{}\n", verb.name, verb.summary);
  }
  text += "\nOptions of every verb\n" + OptionLines(tree.globals);
  text +=
      "\nStart with\n  sightline add samples\n  sightline search 'what you look for'\n"
      "  sightline serve\n\n"
      "Exit status: 0 ok, 1 nothing found or something failed, 2 wrong command line,\n"
      "3 something is missing here (sightline doctor says what).\n"
      "sightline help VERB explains a verb with examples.\n";
  return text;
}

std::string VerbText(const CommandTree& tree, const CommandNode& verb) {
  std::string text = "Use: " + UseText(verb) + "\n\n";
  text += Wrapped(verb.description.empty() ? verb.summary : verb.description);
  if (!verb.options.empty()) text += "\nOptions\n" + OptionLines(verb.options);
  for (const CommandNode& child : verb.children) {
    text += fmt::format("\n{} {}: {}\n", verb.name, child.name, child.summary);
    text += OptionLines(child.options);
  }
  text += "\nOptions of every verb\n" + OptionLines(tree.globals);
  if (!verb.examples.empty()) text += "\nExamples\n";
  for (const Example& example : verb.examples) {
    text += "  " + example.command + "\n      " + example.meaning + "\n";
  }
  return text;
}

}  // namespace sightline::cmd
