#include "cmd/program.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/nearest_name.h"
#include "base/version.h"
#include "cmd/command_tree.h"
#include "cmd/completion.h"
#include "cmd/console.h"
#include "cmd/help_text.h"
#include "cmd/manual_page.h"
#include "cmd/session.h"

namespace sightline::cmd {

struct Program::Globals {
  ConsoleOptions console;
  engine::ConfigInputs inputs;
  std::string data_dir;
  std::vector<std::string> settings;
  std::string help_verb;
  bool help_manual = false;
  std::string shell;
};

namespace {

std::vector<std::pair<std::string, std::string>> Environment() {
  std::vector<std::pair<std::string, std::string>> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable(*entry);
    const size_t equals = variable.find('=');
    if (equals == std::string_view::npos) continue;
    variables.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return variables;
}

/// Turns what was given on the command line into inputs of the configuration.
base::Status ApplySettings(const std::vector<std::string>& settings, const std::string& data_dir,
                           engine::ConfigInputs* inputs) {
  if (!data_dir.empty()) inputs->flags.emplace_back("data.dir", data_dir);
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      return base::InvalidArgument("--set needs KEY=VALUE: " + setting);
    }
    inputs->flags.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  inputs->environment = Environment();
  if (!inputs->file.empty()) return base::OkStatus();
  const char* file = std::getenv("SIGHTLINE_CONFIG");
  if (file != nullptr) inputs->file = file;
  return base::OkStatus();
}

/// The log's default stream is standard output, where it would stand among the results.
void LogToStandardError() {
  spdlog::set_default_logger(std::make_shared<spdlog::logger>(
      "", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()));
}

}  // namespace

Program::Program()
    : globals_(std::make_unique<Globals>()),
      app_(std::make_unique<CLI::App>("finds the page or the moment that shows it", "sightline")),
      verbs_(MakeVerbs()) {
  LogToStandardError();
  DeclareGlobals();
  DeclareVerbs();
}

Program::~Program() = default;

void Program::DeclareGlobals() {
  app_->set_version_flag("--version", "sightline " + std::string(base::kVersion),
                         "print the version");
  app_->add_option("-d,--data", globals_->data_dir,
                   "data folder (SIGHTLINE_DATA; default: sightline-data)");
  app_->add_option("--config", globals_->inputs.file, "configuration file (SIGHTLINE_CONFIG)");
  app_->add_option("--set", globals_->settings, "KEY=VALUE: a setting, may be given again")
      ->allow_extra_args(false);
  app_->add_flag("--json", globals_->console.json, "results as JSON, one object a line");
  app_->add_flag("-q,--quiet", globals_->console.quiet, "results and errors only");
  app_->add_flag("--no-color", globals_->console.no_color, "no colours (NO_COLOR)");
  app_->require_subcommand(0, 1);
}

void Program::DeclareVerbs() {
  for (const std::unique_ptr<Verb>& verb : verbs_) {
    CLI::App* sub = app_->add_subcommand(std::string(verb->name()), std::string(verb->summary()));
    verb->Declare(*sub);
    sub->fallthrough();
    for (CLI::App* inner : sub->get_subcommands([](CLI::App*) { return true; })) {
      inner->fallthrough();
    }
  }
  CLI::App* completion = app_->add_subcommand("completion", "print completion for a shell");
  completion->add_option("SHELL", globals_->shell, "bash, zsh or fish")->required();
  CLI::App* help = app_->add_subcommand("help", "explain a verb, with examples");
  help->add_option("VERB", globals_->help_verb, "what to explain");
  help->add_flag("--man", globals_->help_manual, "the manual page, as roff");
}

ExitCode Program::Run(std::vector<std::string> arguments, const Interrupt& interrupt) {
  bool parsed = false;
  const ExitCode code = Parse(std::move(arguments), &parsed);
  return parsed ? Dispatch(interrupt) : code;
}

ExitCode Program::Parse(std::vector<std::string> arguments, bool* parsed) {
  // `sightline VERB --help` explains as `sightline help VERB` does.
  const bool asks_help = std::any_of(arguments.begin(), arguments.end(), [](const std::string& a) {
    return a == "--help" || a == "-h";
  });
  const std::vector<std::string> given = arguments;
  std::reverse(arguments.begin(), arguments.end());  // the order that CLI11 wants
  try {
    app_->parse(arguments);
    *parsed = true;
    return ExitCode::kOk;
  } catch (const CLI::CallForVersion& version) {
    Console console(globals_->console);
    console.PrintLine(version.what());
    console.Flush();
    return ExitCode::kOk;
  } catch (const CLI::Error& error) {
    if (!asks_help) return Wrong(error.what(), given);
    const CommandTree tree = ReadCommandTree(*app_, verbs_);
    for (const std::string& argument : given) {
      if (globals_->help_verb.empty() && tree.Find(argument) != nullptr) {
        globals_->help_verb = argument;
      }
    }
    return Help();
  }
}

ExitCode Program::Wrong(const std::string& message, const std::vector<std::string>& arguments) {
  const CommandTree tree = ReadCommandTree(*app_, verbs_);
  std::string text = message;
  std::string verb;
  const CommandNode* node = nullptr;
  bool is_value = false;  // of the global option in front
  for (const std::string& argument : arguments) {
    const bool was_value = std::exchange(is_value, false);
    for (const CommandOption& option : tree.globals) {
      is_value = is_value || (!option.value.empty() &&
                              (argument == option.long_name || argument == option.short_name));
    }
    if (!was_value && !argument.starts_with("-")) {
      node = tree.Find(argument);
      if (node != nullptr) {
        verb = argument;
      } else {
        text = "there is no verb '" + argument + "'" + base::DidYouMean(argument, tree.VerbNames());
      }
      break;
    }
  }
  if (node != nullptr) {
    const std::vector<std::string> options = tree.OptionNames(*node);
    for (const std::string& argument : arguments) {
      const std::string option = argument.substr(0, argument.find('='));
      const bool known = std::find(options.begin(), options.end(), option) != options.end();
      if (option.starts_with("--") && option.size() > 2 && !known) {
        text = "there is no option " + option + base::DidYouMean(option, options);
      }
    }
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  Console(globals_->console)
      .Error(text, verb.empty() ? "sightline help" : "sightline help " + verb);
  return ExitCode::kUsage;
}

ExitCode Program::Help() {
  const CommandTree tree = ReadCommandTree(*app_, verbs_);
  Console console(globals_->console);
  if (globals_->help_manual) {
    console.Print(ManualPage(tree));
  } else if (globals_->help_verb.empty()) {
    console.Print(OverviewText(tree));
  } else {
    const CommandNode* node = tree.Find(globals_->help_verb);
    if (node == nullptr) {
      console.Error("there is no verb '" + globals_->help_verb + "'" +
                        base::DidYouMean(globals_->help_verb, tree.VerbNames()),
                    "sightline help");
      return ExitCode::kUsage;
    }
    console.Print(VerbText(tree, *node));
  }
  console.Flush();
  return ExitCode::kOk;
}

ExitCode Program::Completion() {
  const CommandTree tree = ReadCommandTree(*app_, verbs_);
  Console console(globals_->console);
  const base::Result<std::string> script = CompletionScript(tree, globals_->shell);
  if (!script.ok()) {
    console.Error(script.status(), "sightline completion bash");
    return ExitCode::kUsage;
  }
  console.Print(*script);
  console.Flush();
  return ExitCode::kOk;
}

ExitCode Program::Dispatch(const Interrupt& interrupt) {
  const std::vector<CLI::App*> chosen = app_->get_subcommands();
  if (chosen.empty()) {
    static_cast<void>(Help());
    return ExitCode::kUsage;
  }
  const std::string name = chosen.front()->get_name();
  if (name == "help") return Help();
  if (name == "completion") return Completion();
  Console console(globals_->console);
  const base::Status applied =
      ApplySettings(globals_->settings, globals_->data_dir, &globals_->inputs);
  if (!applied.ok()) {
    console.Error(applied, "sightline config");
    return ExitCode::kUsage;
  }
  Session session(console, interrupt.token(), globals_->inputs);
  const auto verb = std::find_if(verbs_.begin(), verbs_.end(), [&name](const auto& candidate) {
    return candidate->name() == name;
  });
  const ExitCode code = (*verb)->Run(session);
  console.Flush();
  if (console.pipe_closed()) return ExitCode::kClosedPipe;
  if (console.output_failed()) {
    console.Error("standard output could not be written", "free space where it goes");
    return ExitCode::kEnvironment;
  }
  return code;
}

}  // namespace sightline::cmd
