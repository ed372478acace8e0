// `sightline config`
#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "cmd/session.h"
#include "cmd/table.h"
#include "cmd/verb.h"

namespace sightline::cmd {
namespace {

class ConfigVerb final : public Verb {
 public:
  std::string_view name() const override { return "config"; }
  std::string_view summary() const override {
    return "show the settings in effect and where each came from";
  }
  std::string_view description() const override {
    return "Settings come from flags (--data, --set KEY=VALUE), then from SIGHTLINE_ variables, "
           "then "
           "from the TOML file ($XDG_CONFIG_HOME/sightline/config.toml, or --config FILE, or "
           "SIGHTLINE_CONFIG), then from the defaults. An unknown one is an error.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline config", "everything in effect"},
            {"sightline config --set server.port=8000", "with one setting changed"},
            {"SIGHTLINE_THREADS=2 sightline config", "with a variable"},
            {"sightline config --config ours.toml", "with another file"},
            {"sightline config --json", "for programs"}};
  }
  void Declare(CLI::App&) override {}
  ExitCode Run(Session& session) override {
    const base::Result<engine::Config> config = session.LoadConfig();
    if (!config.ok()) return session.Fail(config.status(), "sightline help config");
    Console& console = session.console();
    Table table(
        {{"SETTING"}, {"VALUE"}, {"FROM"}, {"VARIABLE"}, {"MEANING", Column::Align::kLeft, true}});
    for (const engine::ConfigKey& key : engine::ConfigKeys()) {
      const std::string value = engine::ConfigValue(*config, key.name);
      const std::string source = engine::ConfigSourceName(config->sources.at(key.name));
      if (console.options().json) {
        console.PrintLine(boost::json::serialize(
            boost::json::object{{"key", key.name}, {"value", value}, {"source", source}}));
      } else {
        table.AddRow({key.name, value, source, key.environment, key.description});
      }
    }
    if (!table.empty()) {
      console.Print(table.Render(console.output_is_terminal() ? console.width() : 0));
    }
    return ExitCode::kOk;
  }
};

}  // namespace

std::unique_ptr<Verb> MakeConfigVerb() { return std::make_unique<ConfigVerb>(); }

}  // namespace sightline::cmd
