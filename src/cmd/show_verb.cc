// `sightline show ID`
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>

#include "base/clock.h"
#include "base/size_text.h"
#include "cmd/display_text.h"
#include "cmd/document_text.h"
#include "cmd/find_document.h"
#include "cmd/session.h"
#include "cmd/verb.h"
#include "server/document_json.h"

namespace sightline::cmd {
namespace {

class ShowVerb final : public Verb {
 public:
  std::string_view name() const override { return "show"; }
  std::string_view summary() const override {
    return "show a document and what is searchable in it";
  }
  std::string_view description() const override {
    return "Shows what is known of a document, and its units: pages with their regions, moments "
           "with their speech, with the text that was found. ID is an id, its first characters, or "
           "the file's name.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline show handbook-zh.pdf", "by its name"},
            {"sightline show handbook-zh.pdf --page 4", "one page with its regions"},
            {"sightline show handbook-zh.pdf --text", "all of its text"},
            {"sightline show machines-en.mp4 --from 60 --to 90", "thirty seconds of a video"},
            {"sightline show handbook-zh.pdf --json", "document, then a unit a line"}};
  }
  void Declare(CLI::App& app) override {
    app.add_option("ID", id_, "id, its beginning, or file name")->required();
    app.add_option("-p,--page", units_.page, "only this page")->check(CLI::PositiveNumber);
    app.add_option("--from", from_s_, "only after so many seconds")->check(CLI::NonNegativeNumber);
    app.add_option("--to", to_s_, "only before so many seconds")->check(CLI::NonNegativeNumber);
    app.add_flag("--text", text_only_, "the text alone");
  }
  ExitCode Run(Session& session) override;

 private:
  void PrintDocument(Console& console, const store::Document& document) const;
  void PrintUnits(Console& console, const store::Document& document,
                  const std::vector<store::Unit>& units) const;

  std::string id_;
  double from_s_ = -1;
  double to_s_ = -1;
  bool text_only_ = false;
  store::Catalog::UnitQuery units_;
};

void ShowVerb::PrintDocument(Console& console, const store::Document& document) const {
  const auto line = [&console](std::string_view label, const std::string& value) {
    if (!value.empty()) console.PrintLine(fmt::format("{:<11}{}", label, Printable(value)));
  };
  std::string tags;
  for (const std::string& tag : document.tags) tags += (tags.empty() ? "" : ", ") + tag;
  line("Title", TitleText(document));
  line("File", document.file_name);
  line("Id", document.id);
  line("Collection", document.collection);
  line("State", std::string(store::DocumentStateName(document.state)) +
                    (document.reason.empty() ? "" : ": " + document.reason));
  line("Kind", std::string(media::DocumentKindName(document.kind)) +
                   (document.media_type.empty() ? "" : " (" + document.media_type + ")"));
  line("Extent", ExtentText(document));
  line("Size", base::FormatSize(static_cast<uint64_t>(document.size_bytes)));
  line("Language", document.language);
  line("Tags", tags);
  line("Metadata", document.metadata_json == "{}" ? "" : document.metadata_json);
  line("Added", base::FormatRfc3339(base::FromUnixMillis(document.created_at_ms)));
  line("SHA-256", document.blob_sha256);
  for (const std::string& warning : document.warnings) line("Warning", warning);
}

void ShowVerb::PrintUnits(Console& console, const store::Document& document,
                          const std::vector<store::Unit>& units) const {
  for (const store::Unit& unit : units) {
    if (console.pipe_closed()) return;
    if (text_only_) {
      // A page's text is that of its regions; it would be printed twice.
      if (unit.kind != store::UnitKind::kPage && !unit.text.empty()) console.PrintLine(unit.text);
      continue;
    }
    const std::string head =
        fmt::format("{:<8}{:<22}{}", store::UnitKindName(unit.kind), PlaceText(document, unit),
                    media::TextSourceName(unit.source));
    const size_t width = console.output_is_terminal() ? console.width() - 2 : 160;
    console.PrintLine(console.Styled(head, Style::kBold));
    if (!unit.text.empty()) console.PrintLine("  " + FitToWidth(unit.text, width));
  }
}

ExitCode ShowVerb::Run(Session& session) {
  constexpr double kMsPerSecond = 1000;
  constexpr double kMaxSeconds = 1e12;  // Of any film, and in an int64_t as milliseconds.
  base::Result<OpenedEngine> opened = session.Open(engine::Engine::Mode::kLookUp);
  if (!opened.ok()) return session.FailOpen(opened.status());
  const base::Result<store::Document> document = FindDocument(*opened->engine, id_);
  if (!document.ok()) return session.Fail(document.status());
  units_.document_id = document->id;
  if (from_s_ >= 0)
    units_.from_ms = static_cast<int64_t>(std::min(from_s_, kMaxSeconds) * kMsPerSecond);
  if (to_s_ >= 0) units_.to_ms = static_cast<int64_t>(std::min(to_s_, kMaxSeconds) * kMsPerSecond);
  const base::Result<std::vector<store::Unit>> units = opened->engine->ListUnits(units_);
  if (!units.ok()) return session.Fail(units.status());
  Console& console = session.console();
  if (console.options().json) {
    console.PrintLine(boost::json::serialize(server::DocumentToJson(*document)));
    for (const store::Unit& unit : *units) {
      console.PrintLine(boost::json::serialize(server::UnitToJson(unit, *document)));
    }
    return ExitCode::kOk;
  }
  if (!text_only_) {
    PrintDocument(console, *document);
    console.PrintLine("");
  }
  PrintUnits(console, *document, *units);
  return ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeShowVerb() { return std::make_unique<ShowVerb>(); }

}  // namespace sightline::cmd
