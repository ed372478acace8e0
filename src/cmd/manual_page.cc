#include "cmd/manual_page.h"

#include <fmt/format.h>

#include "base/version.h"
#include "cmd/help_text.h"
#include "engine/config.h"

namespace sightline::cmd {
namespace {

/// Text as roff reads it literally.
std::string Roff(const std::string& text) {
  std::string roff;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool starts_line = i == 0 || text[i - 1] == '\n';
    if (starts_line && (c == '.' || c == '\'')) roff += "\\&";
    if (c == '\\') {
      roff += "\\e";
    } else if (c == '-') {
      roff += "\\-";
    } else if (c == '\'') {
      roff += "\\(aq";
    } else {
      roff += c;
    }
  }
  return roff;
}

std::string OptionsRoff(const std::vector<CommandOption>& options) {
  std::string text;
  for (const CommandOption& option : options) {
    std::string name = OptionText(option);
    name.erase(0, name.find_first_not_of(' '));
    text += ".TP\n.B " + Roff(name) + "\n" + Roff(option.description) + "\n";
  }
  return text;
}

std::string VerbRoff(const CommandNode& verb) {
  std::string text = ".SS " + Roff(UseText(verb)) + "\n";
  text += Roff(verb.description.empty() ? verb.summary : verb.description) + "\n";
  text += OptionsRoff(verb.options);
  for (const CommandNode& child : verb.children) {
    text +=
        fmt::format(".TP\n.B {} {}\n{}\n", Roff(verb.name), Roff(child.name), Roff(child.summary));
  }
  if (!verb.examples.empty()) text += ".PP\nExamples:\n";
  for (const Example& example : verb.examples) {
    text += ".TP\n.B " + Roff(example.command) + "\n" + Roff(example.meaning) + "\n";
  }
  return text;
}

}  // namespace

std::string ManualPage(const CommandTree& tree) {
  std::string text = fmt::format(
      ".\\\" Made by `sightline help --man`; a test compares.\n"
      ".TH SIGHTLINE 1 \"\" \"sightline {}\" \"User Commands\"\n"
      ".SH NAME\nsightline \\- find the page or the moment that shows it\n"
      ".SH SYNOPSIS\n.B sightline\n.I VERB\n[\\fIoptions\\fR]\n.SH DESCRIPTION\n"
      "Sightline searches PDF files, scans, pictures, videos and sound, by words in Chinese or\n"
      "English or by a picture, and answers with the page, the region or the moment that shows "
      "it.\n"
      "Without a server it works on a data folder; when a server holds the folder, it talks to "
      "the\n"
      "server.\n.SH OPTIONS\nEvery verb takes these.\n",
      base::kVersion);
  text += OptionsRoff(tree.globals);
  text += ".SH VERBS\n";
  for (const CommandNode& verb : tree.verbs) text += VerbRoff(verb);
  text +=
      ".SH EXIT STATUS\n.TP\n.B 0\nok\n.TP\n.B 1\nnothing was found, or something of what was "
      "asked "
      "failed\n.TP\n.B 2\nthe command line or the configuration is wrong\n.TP\n.B 3\nsomething is "
      "missing or not usable here: a file, a folder, a model, a server\n.TP\n.B 130\nstopped by "
      "Ctrl\\-C\n.TP\n.B 141\nthe reader of standard output went away\n";
  text += ".SH ENVIRONMENT\n";
  for (const engine::ConfigKey& key : engine::ConfigKeys()) {
    text += fmt::format(".TP\n.B {}\nsetting {}: {}\n", key.environment, Roff(key.name),
                        Roff(key.description));
  }
  text +=
      ".TP\n.B SIGHTLINE_CONFIG\nconfiguration file\n.TP\n.B NO_COLOR\nno colours when not empty\n"
      ".SH FILES\n.TP\n.I sightline\\-data/\nthe data folder, unless another is named\n"
      ".TP\n.I $XDG_CONFIG_HOME/sightline/config.toml\nthe configuration\n"
      ".TP\n.I $XDG_CACHE_HOME/sightline/\nruntimes, models and previews\n";
  return text;
}

}  // namespace sightline::cmd
