// `sightline documents`
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "base/size_text.h"
#include "cmd/document_text.h"
#include "cmd/session.h"
#include "cmd/table.h"
#include "cmd/verb.h"
#include "server/document_json.h"

namespace sightline::cmd {
namespace {

constexpr int kPageSize = 200;

class DocumentsVerb final : public Verb {
 public:
  std::string_view name() const override { return "documents"; }
  std::string_view summary() const override { return "list documents with their state"; }
  std::string_view description() const override {
    return "Lists the documents of a collection, newest first: id, state, kind, size, pages or "
           "duration, tags and title; a failed one with the reason.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline documents", "all of the collection \"default\""},
            {"sightline documents --state failed", "what could not be read, and why"},
            {"sightline documents --kind video --limit 5", "the five newest videos"},
            {"sightline documents --tag demo", "those with a tag"},
            {"sightline documents --json | jq -r .id", "one JSON object a document"}};
  }
  void Declare(CLI::App& app) override {
    app.add_option("-c,--collection", query_.collection, "collection (default: default)");
    app.add_option("-s,--state", state_, "queued, processing, ready or failed")
        ->check(CLI::IsMember({"queued", "processing", "ready", "failed"}));
    app.add_option("-t,--tag", query_.tag, "only with this tag");
    app.add_option("--kind", query_.kind, "pdf, image, video, audio or text")
        ->check(CLI::IsMember({"pdf", "image", "video", "audio", "text"}));
    app.add_option("-n,--limit", limit_, "at most so many (default: all)")
        ->check(CLI::PositiveNumber);
  }
  ExitCode Run(Session& session) override;

 private:
  base::Status Collect(Session& session, engine::Engine& engine);
  void PrintTable(Console& console) const;

  store::DocumentQuery query_;
  std::string state_;
  int64_t limit_ = std::numeric_limits<int64_t>::max();
  std::vector<store::Document> documents_;
};

base::Status DocumentsVerb::Collect(Session& session, engine::Engine& engine) {
  for (const auto state : {store::DocumentState::kQueued, store::DocumentState::kProcessing,
                           store::DocumentState::kReady, store::DocumentState::kFailed}) {
    if (state_ == store::DocumentStateName(state)) query_.state = state;
  }
  int64_t left = limit_;
  do {
    SIGHTLINE_RETURN_IF_ERROR(session.cancel().Check());
    query_.limit = static_cast<int>(std::min<int64_t>(left, kPageSize));
    SIGHTLINE_ASSIGN_OR_RETURN(store::DocumentPage page, engine.ListDocuments(query_));
    left -= static_cast<int64_t>(page.documents.size());
    query_.cursor = page.next_cursor;
    for (store::Document& document : page.documents) documents_.push_back(std::move(document));
  } while (left > 0 && !query_.cursor.empty());
  return base::OkStatus();
}

void DocumentsVerb::PrintTable(Console& console) const {
  Table table({{"ID"},
               {"STATE"},
               {"KIND"},
               {"SIZE", Column::Align::kRight},
               {"EXTENT", Column::Align::kRight},
               {"TAGS"},
               {"TITLE", Column::Align::kLeft, true}});
  for (const store::Document& document : documents_) {
    std::string tags;
    for (const std::string& tag : document.tags) tags += (tags.empty() ? "" : ",") + tag;
    const bool failed = document.state == store::DocumentState::kFailed;
    table.AddRow({document.id, store::DocumentStateName(document.state),
                  media::DocumentKindName(document.kind),
                  base::FormatSize(static_cast<uint64_t>(document.size_bytes)),
                  ExtentText(document), tags,
                  failed ? document.file_name + ": " + document.reason : TitleText(document)});
  }
  console.Print(table.Render(console.output_is_terminal() ? console.width() : 0));
}

ExitCode DocumentsVerb::Run(Session& session) {
  base::Result<OpenedEngine> opened = session.Open(engine::Engine::Mode::kLookUp);
  if (!opened.ok()) return session.FailOpen(opened.status());
  const base::Status collected = Collect(session, *opened->engine);
  if (!collected.ok()) return session.Fail(collected);
  Console& console = session.console();
  if (console.options().json) {
    for (const store::Document& document : documents_) {
      console.PrintLine(boost::json::serialize(server::DocumentToJson(document)));
    }
  } else if (!documents_.empty()) {
    PrintTable(console);
  }
  if (!documents_.empty()) return ExitCode::kOk;
  if (!console.options().json) {
    console.Error("no such documents in collection " + query_.collection, "sightline add PATH");
  }
  return ExitCode::kSomeFailed;
}

}  // namespace

std::unique_ptr<Verb> MakeDocumentsVerb() { return std::make_unique<DocumentsVerb>(); }

}  // namespace sightline::cmd
