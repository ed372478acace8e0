// `sightline models list|pull|verify`
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "base/size_text.h"
#include "cmd/model_pull.h"
#include "cmd/session.h"
#include "cmd/table.h"
#include "cmd/verb.h"
#include "engine/components.h"
#include "io/file_system.h"
#include "model/model_store.h"

namespace sightline::cmd {
namespace {

uint64_t SizeOf(const model::ModelEntry& entry) {
  uint64_t size_bytes = 0;
  for (const model::ModelFile& file : entry.files) size_bytes += file.size_bytes;
  return size_bytes;
}

class ModelsVerb final : public Verb {
 public:
  std::string_view name() const override { return "models"; }
  std::string_view summary() const override { return "list, fetch and verify models"; }
  std::string_view description() const override {
    return "`list` shows the models of the registry and those that were pulled, with licence, "
           "source "
           "and state. `pull NAME` fetches one of the registry by its digests; `pull hf:ORG/NAME` "
           "fetches a CLIP-type model from a hub (HF_ENDPOINT is honoured). `verify` reads every "
           "byte "
           "and compares digests. Nothing is ever fetched while searching or serving.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline models list", "what there is and what is installed"},
            {"sightline models verify", "every byte of every installed model"},
            {"sightline models verify e5-small", "one model"},
            {"sightline models pull e5-small", "fetch one of the registry"},
            {"sightline models list --json | jq -r .name", "for programs"}};
  }
  void Declare(CLI::App& app) override {
    app.require_subcommand(1);
    app.add_subcommand("list", "show all models")->callback([this] { action_ = Action::kList; });
    CLI::App* pull = app.add_subcommand("pull", "fetch models");
    pull->add_option("NAME", names_, "names of the registry, or hf:ORG/NAME")->required();
    pull->callback([this] { action_ = Action::kPull; });
    CLI::App* verify = app.add_subcommand("verify", "compare digests");
    verify->add_option("NAME", names_, "names (default: all that are installed)");
    verify->callback([this] { action_ = Action::kVerify; });
  }
  ExitCode Run(Session& session) override;

 private:
  enum class Action { kList, kPull, kVerify };

  ExitCode List(Session& session, const model::ModelStore& store);
  ExitCode Verify(Session& session, const model::ModelStore& store);

  Action action_ = Action::kList;
  std::vector<std::string> names_;
};

ExitCode ModelsVerb::Run(Session& session) {
  const base::Result<engine::Config> config = session.LoadConfig();
  if (!config.ok()) return session.Fail(config.status(), "sightline config");
  if (action_ == Action::kPull) return PullModels(session, *config, names_);
  const base::Result<model::ModelStore> store = model::ModelStore::Open(
      io::PosixFileSystem(), engine::CachePath(*config), engine::RegistryPath(*config));
  if (!store.ok()) return session.FailEnvironment(store.status());
  return action_ == Action::kList ? List(session, *store) : Verify(session, *store);
}

ExitCode ModelsVerb::List(Session& session, const model::ModelStore& store) {
  Console& console = session.console();
  Table table({{"NAME"},
               {"KIND"},
               {"STATE"},
               {"SIZE", Column::Align::kRight},
               {"LICENCE"},
               {"SOURCE", Column::Align::kLeft, true}});
  for (const model::ModelStatus& status :
       store.List(model::VerifyMode::kTrustStamp, session.cancel())) {
    const model::ModelEntry& entry = status.entry;
    const std::string source = entry.sources.empty() ? "" : entry.sources.front();
    if (console.options().json) {
      console.PrintLine(
          boost::json::serialize(boost::json::object{{"name", entry.name},
                                                     {"kind", entry.kind},
                                                     {"state", model::ModelStateName(status.state)},
                                                     {"reason", status.reason},
                                                     {"size_bytes", SizeOf(entry)},
                                                     {"licence", entry.licence},
                                                     {"source", source},
                                                     {"folder", status.folder},
                                                     {"default", entry.is_default}}));
    } else {
      table.AddRow({entry.name + (entry.is_default ? " *" : ""), entry.kind,
                    std::string(model::ModelStateName(status.state)),
                    base::FormatSize(SizeOf(entry)), entry.licence, source});
    }
  }
  if (!console.options().json) {
    console.Print(table.Render(console.output_is_terminal() ? console.width() : 0));
    console.Remark("* used by default");
  }
  return ExitCode::kOk;
}

ExitCode ModelsVerb::Verify(Session& session, const model::ModelStore& store) {
  Console& console = session.console();
  bool failed = false;
  const bool all = names_.empty();
  if (all) {
    for (const model::ModelEntry& entry : store.models()) names_.push_back(entry.name);
  }
  for (const std::string& name : names_) {
    const base::Result<const model::ModelEntry*> entry = store.Find(name);
    if (!entry.ok()) return session.Fail(entry.status(), "sightline models list");
    const base::Status verified = store.Verify(**entry, model::VerifyMode::kFull, session.cancel());
    if (verified.code() == base::StatusCode::kCancelled) return session.Fail(verified);
    if (all && verified.code() == base::StatusCode::kNotFound) continue;
    failed = failed || !verified.ok();
    if (console.options().json) {
      console.PrintLine(boost::json::serialize(boost::json::object{
          {"name", name}, {"ok", verified.ok()}, {"reason", verified.message()}}));
    } else {
      console.PrintLine(console.Styled(verified.ok() ? "ok      " : "damaged ",
                                       verified.ok() ? Style::kGreen : Style::kRed) +
                        name + (verified.ok() ? "" : ": " + verified.message()));
    }
  }
  if (failed && !console.options().json) {
    console.Error("a model is missing or damaged", "sightline models pull NAME");
  }
  return failed ? ExitCode::kEnvironment : ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeModelsVerb() { return std::make_unique<ModelsVerb>(); }

}  // namespace sightline::cmd
