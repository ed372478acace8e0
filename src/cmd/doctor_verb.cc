// `sightline doctor`
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "base/size_text.h"
#include "base/version.h"
#include "cmd/session.h"
#include "cmd/verb.h"
#include "engine/components.h"
#include "engine/data_folder.h"
#include "engine/model_list.h"
#include "io/file_system.h"
#include "media/sandboxed_decoder.h"
#include "store/local_store.h"
#include "text/normalize.h"

namespace sightline::cmd {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;

constexpr uint64_t kLowSpaceBytes = uint64_t{2} << 30;

constexpr std::string_view kRestore =
    "a copy of the folder from before, or another one with --data DIR and the files added again";

/// `sightline doctor` itself is no advice here.
std::string NextFor(const Status& status) {
  switch (status.code()) {
    case base::StatusCode::kDataLoss:
      return std::string(kRestore);
    case base::StatusCode::kNotFound:
      return "sightline config";
    case base::StatusCode::kIo:
    case base::StatusCode::kUnavailable:
      return "a check of the disk, or another folder with --data DIR";
    default:
      return NextStep(status);
  }
}

/// Takes the stream of the test document.
class CountingSink final : public media::DecodeSink {
 public:
  Status OnInfo(media::DocumentInfo) override { return base::OkStatus(); }
  Status OnPage(media::DecodedPage) override { return base::OkStatus(); }
  Status OnFrame(media::DecodedFrame) override { return base::OkStatus(); }
  Status OnAudio(media::DecodedAudio) override { return base::OkStatus(); }
  Status OnText(media::DecodedText) override {
    ++texts;
    return base::OkStatus();
  }
  Status OnWarning(std::string) override { return base::OkStatus(); }
  int texts = 0;
};

class DoctorVerb final : public Verb {
 public:
  std::string_view name() const override { return "doctor"; }
  std::string_view summary() const override {
    return "check what is installed, what is missing, what to do";
  }
  std::string_view description() const override {
    return "Checks the decoder and its sandbox (by decoding a small file), the tables for Chinese, "
           "models, the data folder with its catalog and segments, and free space. Every finding "
           "says what to "
           "do. "
           "Exit status 3 when something that is needed is missing.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline doctor", "everything"},
            {"sightline doctor --data /srv/sightline", "another data folder"},
            {"sightline doctor --full", "reads every byte of the models too"},
            {"sightline doctor --json", "one finding a line"},
            {"sightline doctor --quiet && sightline serve", "serve only when all is well"}};
  }
  void Declare(CLI::App& app) override {
    app.add_flag("--full", full_, "read every byte of the models");
  }
  ExitCode Run(Session& session) override;

 private:
  enum class Verdict { kGood, kRemark, kBad };

  void Report(Verdict verdict, std::string_view what, const std::string& finding,
              std::string_view next = {});
  void CheckDecoder(const engine::Config& config);
  void CheckModels(const engine::Config& config);
  void CheckDataFolder(const engine::Config& config);
  void CheckCatalog(const engine::Config& config);
  bool CheckFiles(const engine::Config& config, const engine::Components& components);
  void CheckSpace(const std::string& path);

  bool full_ = false;
  bool bad_ = false;
  Session* session_ = nullptr;  // of the running check
};

void DoctorVerb::Report(Verdict verdict, std::string_view what, const std::string& finding,
                        std::string_view next) {
  bad_ = bad_ || verdict == Verdict::kBad;
  Console& console = session_->console();
  const char* word =
      verdict == Verdict::kGood ? "ok" : (verdict == Verdict::kRemark ? "note" : "missing");
  if (console.options().json) {
    console.PrintLine(boost::json::serialize(boost::json::object{
        {"check", what}, {"verdict", word}, {"finding", finding}, {"next", next}}));
    return;
  }
  if (console.options().quiet && verdict != Verdict::kBad) return;
  const Style style = verdict == Verdict::kGood
                          ? Style::kGreen
                          : (verdict == Verdict::kRemark ? Style::kYellow : Style::kRed);
  console.PrintLine(console.Styled(fmt::format("{:<8}", word), style) +
                    fmt::format("{:<12}{}", what, finding));
  if (!next.empty()) console.PrintLine(fmt::format("{:<20}Try: {}", "", next));
}

void DoctorVerb::CheckDecoder(const engine::Config& config) {
  const std::string path = engine::DecoderPath(config);
  std::error_code error;
  if (!fs::exists(path, error)) {
    Report(Verdict::kBad, "decoder", "is not there: " + path, "build the target sightline-decode");
    return;
  }
  std::string file = (fs::temp_directory_path() / "sightline-doctor-XXXXXX").string();
  const int descriptor = mkstemp(file.data());
  if (descriptor < 0) {
    Report(Verdict::kBad, "decoder", "cannot make a temporary file: " + file, "set TMPDIR");
    return;
  }
  close(descriptor);
  std::ofstream(file) << "Sightline 视线\n";
  media::DecodeRequest request;
  request.path = file;
  request.file_name = "doctor.txt";
  CountingSink sink;
  const Status status =
      media::MakeSandboxedDecoder({.executable = path})->Decode(request, sink, session_->cancel());
  fs::remove(file, error);
  if (!status.ok() || sink.texts == 0) {
    Report(Verdict::kBad, "decoder", "does not work: " + status.ToString(),
           "a kernel with seccomp and user rights to start it: " + path);
    return;
  }
  Report(Verdict::kGood, "decoder", "decodes in its sandbox: " + path);
}

void DoctorVerb::CheckModels(const engine::Config& config) {
  const auto mode = full_ ? model::VerifyMode::kFull : model::VerifyMode::kTrustStamp;
  const Result<std::vector<engine::ModelInfo>> models =
      engine::ListModels(config, mode, session_->cancel());
  if (!models.ok()) {
    Report(Verdict::kBad, "models", models.status().message(), "sightline config");
    return;
  }
  std::string ready;
  for (const engine::ModelInfo& model : *models) {
    if (model.state == "installed") {
      ready += (ready.empty() ? "" : ", ") + model.name;
    } else if (model.state != "missing") {
      Report(Verdict::kBad, "model", model.name + " is " + model.state,
             "sightline models pull " + model.name);
    } else if (model.is_default) {
      // Search works without it, with less: not everybody wants speech.
      Report(Verdict::kRemark, "model", model.name + " (" + model.kind + ") is not installed",
             "sightline models pull " + model.name);
    }
  }
  if (ready.empty()) {
    Report(Verdict::kBad, "models", "none is installed in " + engine::CachePath(config),
           "sightline models pull e5-small");
  } else {
    Report(Verdict::kGood, "models", ready);
  }
}

void DoctorVerb::CheckSpace(const std::string& path) {
  const Result<io::SpaceInfo> space = io::PosixFileSystem().Space(path);
  if (!space.ok()) {
    Report(Verdict::kRemark, "space", space.status().message());
    return;
  }
  const std::string text = base::FormatSize(space->available_bytes) + " free";
  if (space->available_bytes < kLowSpaceBytes) {
    Report(Verdict::kRemark, "space", text + ": little", "free some, or --data DIR elsewhere");
  } else {
    Report(Verdict::kGood, "space", text);
  }
}

/// Reads every segment and looks for every blob.
bool DoctorVerb::CheckFiles(const engine::Config& config, const engine::Components& components) {
  const Result<std::vector<std::string>> findings =
      store::CheckFiles({.data_dir = config.data_dir}, *components.catalog, *components.blobs);
  if (!findings.ok()) {
    Report(Verdict::kBad, "files", findings.status().message(), NextFor(findings.status()));
    return false;
  }
  for (const std::string& finding : *findings) {
    Report(Verdict::kBad, "files", finding, kRestore);
  }
  return findings->empty();
}

void DoctorVerb::CheckCatalog(const engine::Config& config) {
  Result<engine::Components> components = engine::OpenComponents(config);
  if (!components.ok()) {
    Report(Verdict::kBad, "catalog", components.status().message(), NextFor(components.status()));
    return;
  }
  const Result<std::vector<std::string>> findings = components->catalog->CheckIntegrity();
  if (!findings.ok()) {
    Report(Verdict::kBad, "catalog", findings.status().message());
    return;
  }
  for (const std::string& finding : *findings) {
    Report(Verdict::kBad, "catalog", finding, "remove and add the document again");
  }
  const Result<store::CatalogCounts> counts = components->catalog->Counts();
  const bool files_are_whole = CheckFiles(config, *components);
  if (!counts.ok() || !findings->empty() || !files_are_whole) return;
  Report(Verdict::kGood, "catalog",
         fmt::format("{} documents ({} ready, {} failed), {} units", counts->documents,
                     counts->ready, counts->failed, counts->units));
  if (const int64_t open = counts->documents - counts->ready - counts->failed; open > 0) {
    Report(Verdict::kRemark, "documents", fmt::format("{} not finished", open),
           "sightline serve, or the same sightline add again: they go on with them");
  }
  if (counts->failed > 0) {
    Report(Verdict::kRemark, "documents", fmt::format("{} failed", counts->failed),
           "sightline documents --state failed");
  }
}

void DoctorVerb::CheckDataFolder(const engine::Config& config) {
  std::error_code error;
  if (!fs::exists(config.data_dir, error) && !error) {
    const std::string parent = io::ParentPath(config.data_dir);
    if (fs::exists(parent, error) && access(parent.c_str(), W_OK | X_OK) != 0) {
      Report(Verdict::kBad, "data", "may not make a folder in " + parent + ": " + config.data_dir,
             "another folder with --data DIR");
    } else {
      Report(Verdict::kRemark, "data", "no folder yet: " + config.data_dir, "sightline add PATH");
    }
    CheckSpace(".");
    return;
  }
  CheckSpace(config.data_dir);
  const Result<engine::DataFolder> locked =
      engine::DataFolder::Lock(io::PosixFileSystem(), config.data_dir);
  if (locked.ok()) {
    Report(Verdict::kGood, "data", config.data_dir);
    CheckCatalog(config);
    return;
  }
  const Result<std::string> url = engine::LockHolder(config.data_dir);
  if (locked.status().code() == base::StatusCode::kFailedPrecondition && url.ok() &&
      !url->empty()) {
    Report(Verdict::kGood, "data", config.data_dir + " is served at " + *url);
  } else {
    Report(Verdict::kBad, "data", locked.status().message(), NextFor(locked.status()));
  }
}

ExitCode DoctorVerb::Run(Session& session) {
  session_ = &session;
  const Result<engine::Config> config = session.LoadConfig();
  if (!config.ok()) return session.Fail(config.status(), "sightline config");
  Report(Verdict::kGood, "program", "sightline " + std::string(base::kVersion));
  const Status folding = text::FoldingStatus();
  Report(folding.ok() ? Verdict::kGood : Verdict::kBad, "Chinese",
         folding.ok() ? "word and conversion tables are there" : folding.message());
  CheckDecoder(*config);
  CheckModels(*config);
  CheckDataFolder(*config);
  return bad_ ? ExitCode::kEnvironment : ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeDoctorVerb() { return std::make_unique<DoctorVerb>(); }

}  // namespace sightline::cmd
