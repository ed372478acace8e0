// `sightline eval`
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "cmd/session.h"
#include "cmd/temporary_folder.h"
#include "cmd/verb.h"
#include "engine/components.h"
#include "eval/corpus.h"
#include "eval/data_set.h"
#include "eval/runner.h"

namespace sightline::cmd {
namespace {

namespace fs = std::filesystem;

std::string DefaultDataSets() {
  const char* folder = std::getenv("SIGHTLINE_DATA_SETS");
  return folder != nullptr && *folder != '\0' ? folder : "../shared/data";
}

/// A new folder, gone at the end, or one that stays.
class IndexFolder {
 public:
  IndexFolder()
      : temporary_(std::in_place, "eval"), path_(temporary_->path()), made_(temporary_->made()) {}
  explicit IndexFolder(const fs::path& kept) : path_(kept.string()) {
    std::error_code error;
    fs::create_directories(kept, error);
    made_ = fs::is_directory(kept, error);
  }
  bool made() const { return made_; }
  const std::string& path() const { return path_; }
  std::string corpus_path() const { return path_ + "/corpus.json"; }

  bool empty() const {
    std::error_code error;
    return fs::is_empty(path_, error);
  }

 private:
  std::optional<TemporaryFolder> temporary_;
  std::string path_;
  bool made_ = false;
};

class EvalVerb final : public Verb {
 public:
  std::string_view name() const override { return "eval"; }
  std::string_view summary() const override { return "measure retrieval on labelled data sets"; }
  std::string_view description() const override {
    return "Indexes a data set in a temporary folder (or below --keep, to ask again without "
           "indexing) through the product's own pipeline, asks its questions, and prints nDCG@5, "
           "recall and MRR by route and combined, by language and "
           "kind, and the time of a query. A set whose data is not on this machine is skipped with "
           "the reason.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline eval --set manpages-zh", "one set"},
            {"sightline eval --set manpages-zh --set manpages-en", "two sets"},
            {"sightline eval", "all of them"},
            {"sightline eval --set images-dev --keep /tmp/eval", "index once, ask often"},
            {"sightline eval --set images-dev --json", "for programs"},
            {"sightline eval --list", "names of the sets"}};
  }
  void Declare(CLI::App& app) override {
    app.add_option("-s,--set", sets_, "data set, may be given again (default: all)")
        ->allow_extra_args(false);
    app.add_option("--root", root_, "folder of the data (SIGHTLINE_DATA_SETS)");
    app.add_option("--keep", keep_,
                   "keep the index of each set below this folder and use the one that is there");
    app.add_flag(
        "--every-passage", every_passage_,
        "two passages of one document take two ranks, as tables of passage retrieval count");
    app.add_flag("--list", list_, "print the names of the sets");
  }
  ExitCode Run(Session& session) override;

 private:
  base::Status RunSet(Session& session, const engine::Config& config, const std::string& set);
  base::Result<eval::Corpus> Index(Session& session, const eval::DataSet& data,
                                   const ingest::IngestServices& services,
                                   const eval::CorpusOptions& options);

  std::vector<std::string> sets_;
  std::string root_ = DefaultDataSets();
  std::string keep_;
  bool every_passage_ = false;
  bool list_ = false;
};

base::Result<eval::Corpus> EvalVerb::Index(Session& session, const eval::DataSet& data,
                                           const ingest::IngestServices& services,
                                           const eval::CorpusOptions& options) {
  Console& console = session.console();
  const bool redraws = console.error_is_terminal();
  const auto progress = [&](size_t done, size_t total) {
    if (redraws) {
      console.ErrorStream("\r\x1b[2K" + data.name + ": " + std::to_string(done) + " of " +
                          std::to_string(total) + " documents");
    }
  };
  auto corpus = eval::IndexDataSet(data, services, options, progress, session.cancel());
  if (redraws) console.ErrorStream("\r\x1b[2K");
  return corpus;
}

base::Status EvalVerb::RunSet(Session& session, const engine::Config& config,
                              const std::string& set) {
  SIGHTLINE_ASSIGN_OR_RETURN(const eval::DataSet data, eval::LoadDataSet(set, root_));
  const IndexFolder folder = keep_.empty() ? IndexFolder() : IndexFolder(fs::path(keep_) / set);
  if (!folder.made()) return base::IoError("cannot make the folder: " + folder.path());
  base::Result<eval::Corpus> corpus = eval::LoadCorpus(folder.corpus_path());
  const bool indexed = corpus.status().code() != base::StatusCode::kNotFound;
  if (indexed) {
    SIGHTLINE_RETURN_IF_ERROR(corpus.status());
  } else if (!folder.empty()) {
    return base::FailedPrecondition(folder.path() + " holds no whole index. Remove it first.");
  }
  engine::Config here = config;
  here.data_dir = folder.path();
  SIGHTLINE_ASSIGN_OR_RETURN(engine::Components components, engine::OpenComponents(here));
  if (!indexed) {
    corpus = Index(session, data, components.ingest_services(),
                   {.threads = engine::EncoderThreads(config), .pool_factor = config.pool_factor});
    SIGHTLINE_RETURN_IF_ERROR(corpus.status());
    SIGHTLINE_RETURN_IF_ERROR(eval::SaveCorpus(*corpus, folder.corpus_path()));
  }
  Console& console = session.console();
  const retrieve::Searcher searcher(components.search_services());
  const eval::ResultUnit unit = every_passage_ ? eval::ResultUnit::kHit : eval::ResultUnit::kTarget;
  SIGHTLINE_ASSIGN_OR_RETURN(const eval::SetReport report,
                             eval::RunQuestions(data, *corpus, searcher, unit, session.cancel()));
  if (console.options().json) {
    console.PrintLine(eval::ReportJson(report));
  } else {
    console.PrintLine(eval::ReportTable(report));
    for (const std::string& failure : report.failures) console.Remark("left out: " + failure);
  }
  return base::OkStatus();
}

ExitCode EvalVerb::Run(Session& session) {
  Console& console = session.console();
  const std::vector<std::string>& names = eval::DataSetNames();
  if (list_) {
    for (const std::string& set : names) console.PrintLine(set);
    return ExitCode::kOk;
  }
  const base::Result<engine::Config> config = session.LoadConfig();
  if (!config.ok()) return session.Fail(config.status(), "sightline config");
  if (sets_.empty()) sets_ = names;
  size_t skipped = 0;
  for (const std::string& set : sets_) {
    if (std::find(names.begin(), names.end(), set) == names.end()) {
      return session.Usage("there is no data set " + set, "eval");
    }
    const base::Status status = RunSet(session, *config, set);
    if (status.code() == base::StatusCode::kNotFound) {
      console.Remark("SKIP " + set + ": " + status.message());
      ++skipped;
    } else if (!status.ok()) {
      return session.FailEnvironment(status);
    }
  }
  return skipped == sets_.size() ? ExitCode::kEnvironment : ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeEvalVerb() { return std::make_unique<EvalVerb>(); }

}  // namespace sightline::cmd
