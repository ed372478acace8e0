// `sightline remove ID`
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "base/size_text.h"
#include "cmd/document_text.h"
#include "cmd/find_document.h"
#include "cmd/session.h"
#include "cmd/standard_input.h"
#include "cmd/verb.h"

namespace sightline::cmd {
namespace {

class RemoveVerb final : public Verb {
 public:
  std::string_view name() const override { return "remove"; }
  std::string_view summary() const override {
    return "remove documents and everything found in them";
  }
  std::string_view description() const override {
    return "Removes documents from the search at once; their space comes back when segments are "
           "merged. Asks first on a terminal and tells what will be gone; elsewhere --yes is "
           "needed. "
           "The file that was added stays where it is.";
  }
  std::vector<Example> examples() const override {
    return {
        {"sightline remove handbook-zh.pdf", "asks first"},
        {"sightline remove 01JDXW 01JDXV --yes", "two, without asking"},
        {"sightline documents --state failed --json | jq -r .id | xargs -r sightline remove --yes",
         "everything that failed"},
        {"sightline remove report-en.pdf --yes --quiet", "says nothing when it worked"},
        {"sightline remove report-en.pdf --yes --json", "ids of what is gone"}};
  }
  void Declare(CLI::App& app) override {
    app.add_option("ID", ids_, "ids, their beginnings, or file names")->required();
    app.add_flag("-y,--yes", yes_, "do not ask");
  }
  ExitCode Run(Session& session) override;

 private:
  /// Whether the person says yes.
  static bool Ask(Session& session, const std::vector<store::Document>& documents);

  std::vector<std::string> ids_;
  bool yes_ = false;
};

bool RemoveVerb::Ask(Session& session, const std::vector<store::Document>& documents) {
  Console& console = session.console();
  for (const store::Document& document : documents) {
    const std::string extent = ExtentText(document);
    console.PrintLine(fmt::format("{}  {}  ({}, {})", document.id, TitleText(document),
                                  extent.empty() ? "no pages" : extent,
                                  base::FormatSize(static_cast<uint64_t>(document.size_bytes))));
  }
  console.Print(fmt::format("Remove {} with everything found in {}? [y/N] ",
                            documents.size() == 1 ? "this document" : "these documents",
                            documents.size() == 1 ? "it" : "them"));
  console.Flush();
  char answer = 'n';
  const base::Result<size_t> got = ReadStandardInput({&answer, 1}, session.cancel());
  return got.ok() && *got == 1 && (answer == 'y' || answer == 'Y');
}

ExitCode RemoveVerb::Run(Session& session) {
  Console& console = session.console();
  if (!yes_ && !console.input_is_terminal()) {
    return session.Usage("nobody can be asked here: give --yes", name());
  }
  base::Result<OpenedEngine> opened = session.Open(engine::Engine::Mode::kLookUp);
  if (!opened.ok()) return session.FailOpen(opened.status());
  std::vector<store::Document> documents;
  bool failed = false;
  for (const std::string& id : ids_) {
    base::Result<store::Document> document = FindDocument(*opened->engine, id);
    if (document.ok()) {
      documents.push_back(*std::move(document));
    } else {
      session.Fail(document.status());
      failed = true;
    }
  }
  if (documents.empty()) return ExitCode::kSomeFailed;
  if (!yes_ && !Ask(session, documents)) {
    console.Remark("nothing removed");
    return ExitCode::kSomeFailed;
  }
  for (const store::Document& document : documents) {
    const base::Status removed = opened->engine->RemoveDocument(document.id);
    if (!removed.ok()) {
      session.Fail(removed);
      failed = true;
    } else if (console.options().json) {
      console.PrintLine(boost::json::serialize(boost::json::object{{"removed", document.id}}));
    } else if (!console.options().quiet) {
      console.PrintLine("removed " + document.id + "  " + TitleText(document));
    }
  }
  return failed ? ExitCode::kSomeFailed : ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeRemoveVerb() { return std::make_unique<RemoveVerb>(); }

}  // namespace sightline::cmd
