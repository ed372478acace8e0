// `sightline search QUERY`
#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <filesystem>

#include "cmd/hit_text.h"
#include "cmd/preview_files.h"
#include "cmd/session.h"
#include "cmd/verb.h"
#include "cmd/viewer.h"
#include "server/search_json.h"
#include "store/filter.h"

namespace sightline::cmd {
namespace {

constexpr int kMaxTopK = 1000;
constexpr size_t kMaxQueryBytes = 8 << 10;

class SearchVerb final : public Verb {
 public:
  std::string_view name() const override { return "search"; }
  std::string_view summary() const override { return "find the page or the moment that shows it"; }
  std::string_view description() const override {
    return "Searches with words, in Chinese or English, with a picture, or with both. Hits show "
           "rank, score, document, page or time, why they were found, a line of text with the "
           "match "
           "in bold and the path of a preview. Filter keys: kind, tag, document_id, document_kind, "
           "language, source, page, start_ms, end_ms, created_at, metadata.NAME.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline search 'where is revenue by region'", "words"},
            {"sightline search '量筒读数时视线应该对准哪里' --top-k 3", "Chinese, three hits"},
            {"sightline search --image samples/queries/gears.jpg", "a picture"},
            {"sightline search 'bar chart' --filter "
             "'{\"must\":[{\"key\":\"kind\",\"match\":{\"value\":\"page\"}}]}'",
             "pages only"},
            {"sightline search 'piston and crankshaft' --open", "and open the first hit"}};
  }
  void Declare(CLI::App& app) override {
    app.add_option("QUERY", query_, "words to look for; - reads them from standard input");
    app.add_option("-i,--image", request_.image_path, "picture to look for");
    app.add_option("-c,--collection", request_.collection, "collection (default: default)");
    app.add_option("-f,--filter", filter_, "JSON filter: must, should, must_not");
    app.add_option("-k,--top-k", top_k_, "number of hits, 1 to 1000 (default: 10)");
    app.add_flag("-e,--exact", exact_,
                 "compare with everything, so that the best are found for sure");
    app.add_flag("-o,--open", open_, "open the first hit in the viewer of the desktop");
  }
  ExitCode Run(Session& session) override;

 private:
  /// Ok, or what is wrong with the command line.
  base::Status Check(const base::CancelToken& cancel);
  ExitCode FailSearch(Session& session, const base::Status& status) const;
  ExitCode PrintHits(Session& session, OpenedEngine& opened,
                     const retrieve::SearchResponse& response);

  std::vector<std::string> query_;
  std::string filter_;
  int64_t top_k_ = 10;
  bool exact_ = false;
  bool open_ = false;
  retrieve::SearchRequest request_;
};

base::Status SearchVerb::Check(const base::CancelToken& cancel) {
  for (const std::string& word : query_) {
    if (!request_.query.empty()) request_.query += ' ';
    request_.query += word;
  }
  if (query_.size() == 1 && query_.front() == "-") {
    SIGHTLINE_ASSIGN_OR_RETURN(request_.query, ReadQueryFromInput(kMaxQueryBytes, cancel));
  }
  if (request_.query.empty() && request_.image_path.empty()) {
    return base::InvalidArgument("nothing to look for: give words or --image FILE");
  }
  if (request_.query.size() > kMaxQueryBytes) {
    return base::InvalidArgument("the words are too long: at most 8192 bytes, got " +
                                 std::to_string(request_.query.size()));
  }
  if (top_k_ < 1 || top_k_ > kMaxTopK) {
    return base::InvalidArgument("--top-k must be from 1 to 1000: " + std::to_string(top_k_));
  }
  request_.top_k = static_cast<int>(top_k_);
  if (exact_) request_.mode = store::SearchMode::kExact;
  if (!filter_.empty()) {
    base::Result<store::Filter> filter = store::ParseFilter(filter_);
    if (!filter.ok()) return filter.status().WithContext("--filter");
    request_.filter = *std::move(filter);
  }
  return base::OkStatus();
}

ExitCode SearchVerb::Run(Session& session) {
  const base::Status checked = Check(session.cancel());
  if (checked.code() == base::StatusCode::kCancelled) return session.Fail(checked);
  if (!checked.ok()) return session.Usage(checked.message(), name());
  std::error_code error;
  if (!request_.image_path.empty() &&
      !std::filesystem::is_regular_file(request_.image_path, error)) {
    return session.FailEnvironment(
        base::NotFound("there is no such picture: " + request_.image_path),
        "the path of a picture file");
  }
  base::Result<OpenedEngine> opened = session.Open(engine::Engine::Mode::kLookUp);
  if (!opened.ok()) return session.FailOpen(opened.status());
  const base::Result<retrieve::SearchResponse> response =
      opened->engine->Search(request_, session.cancel());
  if (!response.ok()) return FailSearch(session, response.status());
  return PrintHits(session, *opened, *response);
}

ExitCode SearchVerb::FailSearch(Session& session, const base::Status& status) const {
  const bool is_wrong = status.code() == base::StatusCode::kInvalidArgument;
  const bool is_closed = status.code() == base::StatusCode::kPermissionDenied;
  if (!request_.image_path.empty() && (is_wrong || is_closed)) {
    return session.Fail(status, "a picture (PNG, JPEG, WebP, TIFF) for --image, or words");
  }
  return is_wrong ? session.Usage(status.message(), name()) : session.FailEnvironment(status);
}

ExitCode SearchVerb::PrintHits(Session& session, OpenedEngine& opened,
                               const retrieve::SearchResponse& response) {
  Console& console = session.console();
  if (console.options().json) {
    console.PrintLine(boost::json::serialize(server::SearchToJson(response)));
  } else {
    PreviewFiles previews(*opened.engine);
    for (const retrieve::Hit& hit : response.hits) {
      console.Print(HitText(console, hit, previews.PathOf(hit.unit.preview_sha256)));
      if (console.pipe_closed()) return ExitCode::kClosedPipe;
    }
    for (const std::string& note : response.notes) console.Remark("note: " + note);
  }
  if (response.hits.empty()) {
    if (!console.options().json) {
      const bool elsewhere = request_.collection != retrieve::SearchRequest().collection;
      console.Error((elsewhere ? "nothing found in the collection " + request_.collection + " for: "
                               : std::string("nothing found for: ")) +
                        (request_.query.empty() ? request_.image_path : request_.query),
                    request_.filter.IsEmpty() ? "other words, or sightline documents"
                                              : "the same without --filter");
    }
    return ExitCode::kSomeFailed;
  }
  if (!open_) return ExitCode::kOk;
  const base::Status viewed = OpenHit(*opened.engine, opened.server_url, response.hits.front());
  return viewed.ok() ? ExitCode::kOk
                     : session.FailEnvironment(viewed, "the path of the preview above");
}

}  // namespace

std::unique_ptr<Verb> MakeSearchVerb() { return std::make_unique<SearchVerb>(); }

}  // namespace sightline::cmd
