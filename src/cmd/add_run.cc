#include "cmd/add_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <optional>

#include "cmd/display_text.h"
#include "cmd/document_text.h"
#include "cmd/progress.h"
#include "cmd/session.h"
#include "cmd/standard_input.h"
#include "server/document_json.h"

namespace sightline::cmd {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;

constexpr size_t kReadBytes = size_t{256} << 10;

bool IsHidden(const fs::path& path) { return path.filename().string().starts_with("."); }

/// The message with the file in front, unless it names the file itself.
std::string Named(const std::string& file, const std::string& message) {
  const bool names_it = message.find(fs::path(file).filename().string()) != std::string::npos;
  return names_it ? message : file + ": " + message;
}

void ListFolder(const fs::path& folder, FileList* list) {
  std::error_code error;
  std::vector<fs::path> entries;
  fs::directory_iterator it(folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    entries.push_back(it->path());
  }
  if (error) {
    list->failures.push_back(folder.string() + ": " + error.message());
    return;
  }
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    if (IsHidden(entry)) continue;
    const fs::file_status status = fs::status(entry, error);
    if (fs::is_directory(status) && !fs::is_symlink(fs::symlink_status(entry, error))) {
      ListFolder(entry, list);
    } else if (fs::is_regular_file(status)) {
      list->files.push_back(entry.string());
    }
  }
}

Result<engine::AddedDocument> AddStdin(engine::Engine& engine, const AddRun& run,
                                       const base::CancelToken& cancel) {
  engine::AddOptions options = run.options;
  options.file_name = run.stdin_name;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto upload, engine.BeginUpload(options));
  std::string buffer(kReadBytes, '\0');
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(const size_t size, ReadStandardInput(buffer, cancel));
    if (size == 0) return upload->Finish();
    SIGHTLINE_RETURN_IF_ERROR(upload->Append(std::string_view(buffer).substr(0, size)));
  }
}

/// One `add` from the first file to the summary.
class Adding {
 public:
  Adding(Session& session, const AddRun& run, engine::Engine& engine)
      : session_(session),
        run_(run),
        engine_(engine),
        console_(session.console()),
        progress_(console_, base::SystemClock()) {}

  ExitCode Run(const FileList& list) {
    const int listener = engine_.AddListener(
        [this](const store::Document& document) { progress_.Update(document); });
    for (const std::string& failure : list.failures) Failed(failure);
    progress_.SetTotal(list.files.size());
    const Status status = AddAll(list.files);
    engine_.RemoveListener(listener);
    progress_.Clear();
    if (!status.ok()) return Stopped(status, list.files.size());
    Summary();
    return failed_ > 0 ? ExitCode::kSomeFailed : ExitCode::kOk;
  }

 private:
  Status AddAll(const std::vector<std::string>& files) {
    std::vector<engine::AddedDocument> added;
    for (const std::string& file : files) {
      SIGHTLINE_RETURN_IF_ERROR(session_.cancel().Check());
      progress_.Reading(file);
      Result<engine::AddedDocument> one = file == "-"
                                              ? AddStdin(engine_, run_, session_.cancel())
                                              : engine::AddFile(engine_, file, run_.options);
      if (one.ok()) {
        added.push_back(*std::move(one));
        continue;
      }
      if (IsFatal(one.status())) return one.status();
      Failed(Named(file, one.status().message()));
      progress_.Done();
    }
    for (const engine::AddedDocument& one : added) {
      SIGHTLINE_ASSIGN_OR_RETURN(const store::Document document,
                                 engine_.WaitForDocument(one.document.id, session_.cancel()));
      progress_.Done();
      Finished(document, one.already_there);
    }
    return base::OkStatus();
  }

  /// What would fail for every other file as well.
  static bool IsFatal(const Status& status) {
    return status.code() == base::StatusCode::kCancelled ||
           status.code() == base::StatusCode::kUnavailable;
  }

  void Failed(const std::string& message) {
    progress_.Clear();
    ++failed_;
    console_.Error(Printable(message));
  }

  void Finished(const store::Document& document, bool already_there) {
    progress_.Clear();
    const bool ready = document.state == store::DocumentState::kReady;
    ready ? ++ready_ : ++failed_;
    if (!ready) kept_failures_ = true;
    if (console_.options().json) {
      boost::json::object object = server::DocumentToJson(document);
      object["already_there"] = already_there;
      console_.PrintLine(boost::json::serialize(object));
      return;
    }
    console_.PrintLine(ResultLine(console_, document) + (already_there ? "  (was there)" : ""));
    for (const std::string& warning : document.warnings) {
      console_.PrintLine("        " + console_.Styled(Printable(warning), Style::kDim));
    }
  }

  ExitCode Stopped(const Status& status, size_t files) {
    if (status.code() != base::StatusCode::kCancelled) return session_.Fail(status);
    console_.Error(
        fmt::format("stopped: {} of {} are done and searchable", ready_ + failed_, files),
        "the same command again: it goes on where it stopped");
    return ExitCode::kInterrupted;
  }

  void Summary() {
    if (ready_ + failed_ < 2 && failed_ == 0) return;
    console_.Remark(fmt::format("{} ready, {} failed", ready_, failed_));
    if (kept_failures_) console_.Remark("  Try: sightline documents --state failed");
  }

  Session& session_;
  const AddRun& run_;
  engine::Engine& engine_;
  Console& console_;
  Progress progress_;
  size_t ready_ = 0;
  size_t failed_ = 0;
  bool kept_failures_ = false;  // Some failed documents are in the library.
};

}  // namespace

FileList ListFiles(const std::vector<std::string>& paths) {
  FileList list;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::file_status status = path == "-" ? fs::file_status() : fs::status(path, error);
    if (path == "-" || fs::is_regular_file(status)) {
      list.files.push_back(path);
    } else if (fs::is_directory(status)) {
      const size_t before = list.files.size() + list.failures.size();
      ListFolder(path, &list);
      if (list.files.size() + list.failures.size() == before) {
        list.failures.push_back(path + ": the folder holds no files");
      }
    } else if (!fs::exists(status)) {
      list.failures.push_back(path + ": " + (error ? error.message() : "no such file"));
    } else {
      list.failures.push_back(path + ": neither a file nor a folder");
    }
  }
  return list;
}

ExitCode AddFiles(Session& session, const AddRun& run) {
  const FileList list = ListFiles(run.paths);
  if (list.files.empty()) {
    for (const std::string& failure : list.failures) session.console().Error(Printable(failure));
    session.console().Error("nothing to add", "sightline help add");
    return ExitCode::kSomeFailed;
  }
  Result<OpenedEngine> opened = session.Open(engine::Engine::Mode::kIngest);
  if (!opened.ok()) return session.FailOpen(opened.status());
  return Adding(session, run, *opened->engine).Run(list);
}

}  // namespace sightline::cmd
