// /v1/search: a question in words, a picture, or both.
#include <algorithm>
#include <boost/json.hpp>

#include "base/nearest_name.h"
#include "base/utf8.h"
#include "io/file_system.h"
#include "server/api.h"
#include "server/error_response.h"
#include "server/json_response.h"
#include "server/multipart.h"
#include "server/search_json.h"

namespace sightline::server {
namespace {

namespace json = boost::json;

// A picture of a question on disk, for the decoder; gone with this.
class TemporaryPicture {
 public:
  static base::Result<std::unique_ptr<TemporaryPicture>> Write(const std::string& directory,
                                                               const std::string& bytes) {
    io::FileSystem& files = io::PosixFileSystem();
    SIGHTLINE_ASSIGN_OR_RETURN(const auto file,
                               files.CreateTemporary(directory, "sightline-query-"));
    auto picture = std::make_unique<TemporaryPicture>(file->path());
    SIGHTLINE_RETURN_IF_ERROR(file->Append(std::string_view(bytes)));
    SIGHTLINE_RETURN_IF_ERROR(file->Close());
    return picture;
  }

  explicit TemporaryPicture(std::string path) : path_(std::move(path)) {}
  ~TemporaryPicture() {
    // One that cannot be removed is the temporary folder's to clean up.
    [[maybe_unused]] const base::Status removed = io::PosixFileSystem().RemoveFile(path_);
  }
  TemporaryPicture(const TemporaryPicture&) = delete;
  TemporaryPicture& operator=(const TemporaryPicture&) = delete;

  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

base::Result<SearchQuestion> ReadForm(const Request& request, const ServerLimits& limits) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto fields,
                             ParseMultipart(request.header("content-type"), request.body));
  static const std::vector<std::string> names = {"query", "image", "options"};
  for (const auto& [name, value] : fields) {
    if (std::ranges::find(names, name) != names.end()) continue;
    return base::InvalidArgument("unknown part of the form \"" +
                                 base::SanitizeUtf8(base::TruncateUtf8(name, 100)) + "\"" +
                                 base::DidYouMean(name, names));
  }
  json::object body;
  const auto options = fields.find("options");
  if (options != fields.end()) {
    SIGHTLINE_ASSIGN_OR_RETURN(body, ParseJsonObject(options->second, limits.json_depth));
  }
  for (const char* name : {"query", "image"}) {
    if (fields.contains(name) && body.contains(name)) {
      return base::InvalidArgument(std::string(name) + " is given twice");
    }
  }
  if (fields.contains("query")) body["query"] = fields["query"];
  const std::string image = fields.contains("image") ? std::move(fields["image"]) : std::string();
  if (image.size() > limits.image_bytes) return base::InvalidArgument("image is too large");
  // The picture is checked for below: a question of a picture alone is one.
  const bool words_missing = !body.contains("query") || body["query"].is_null();
  if (words_missing && !image.empty()) body["query"] = "";
  if (image.empty()) return SearchFromJson(body, limits);
  // One byte stands for the picture, so that it counts as given.
  body["image"] = "AA==";
  SIGHTLINE_ASSIGN_OR_RETURN(SearchQuestion question, SearchFromJson(body, limits));
  question.image = image;
  return question;
}

base::Result<SearchQuestion> ReadQuestion(const Request& request, const ServerLimits& limits) {
  if (request.header("content-type").starts_with("multipart/form-data")) {
    return ReadForm(request, limits);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const json::object body,
                             ParseJsonObject(request.body, limits.json_depth));
  return SearchFromJson(body, limits);
}

Response Search(const ApiContext& api, const Request& request) {
  base::Result<SearchQuestion> question = ReadQuestion(request, api.options.limits);
  if (!question.ok()) return ErrorResponse(question.status());
  std::unique_ptr<TemporaryPicture> picture;
  if (!question->image.empty()) {
    auto written = TemporaryPicture::Write(api.options.temporary_dir, question->image);
    if (!written.ok()) return ErrorResponse(written.status());
    picture = *std::move(written);
    question->request.image_path = picture->path();
    question->image.clear();
  }
  const base::Result<retrieve::SearchResponse> found =
      api.engine.Search(question->request, request.cancel);
  if (!found.ok()) return ErrorResponse(found.status());
  Response response = JsonResponse(200, SearchToJson(*found));
  for (const retrieve::StageTiming& stage : found->timing) {
    response.timing.push_back({stage.stage, stage.ms});
  }
  api.metrics.AddSearch(response.timing);
  return response;
}

}  // namespace

void AddSearchRoutes(const ApiContext& api, Router& router) {
  Route route;
  route.method = "POST";
  route.pattern = "/v1/search";
  route.pool = HandlerPool::kSearch;
  route.max_body_bytes = api.options.limits.search_bytes;
  route.timeout_ms = api.options.limits.search_timeout_ms;
  route.handler = [api](const Request& request) { return Search(api, request); };
  router.Add(std::move(route));
}

}  // namespace sightline::server
