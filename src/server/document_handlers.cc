// /v1/documents: upload, list, show, remove, retry, units.
#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <optional>

#include "base/size_text.h"
#include "base/ulid.h"
#include "base/utf8.h"
#include "media/decoded.h"
#include "server/api.h"
#include "server/document_json.h"
#include "server/error_response.h"
#include "server/json_response.h"
#include "server/query_value.h"

namespace sightline::server {
namespace {

namespace json = boost::json;

constexpr size_t kMaxFileNameBytes = 1024;
constexpr size_t kMaxCollectionBytes = 128;
constexpr int64_t kMaxUnits = 10'000;
constexpr int64_t kMaxUnitCursor = int64_t{1} << 40;

base::Result<engine::AddOptions> ReadAddOptions(const Request& request,
                                                const ServerLimits& limits) {
  engine::AddOptions options;
  options.file_name = request.query_value("filename").value_or("");
  // A browser may send a path; only its last part is a name.
  options.file_name.erase(0, options.file_name.find_last_of("/\\") + 1);
  if (options.file_name.empty() || options.file_name.size() > kMaxFileNameBytes) {
    return base::InvalidArgument("filename is missing or longer than 1024 bytes");
  }
  options.collection = request.query_value("collection").value_or("default");
  if (options.collection.empty() || options.collection.size() > kMaxCollectionBytes) {
    return base::InvalidArgument("collection is empty or longer than 128 bytes");
  }
  options.tags = request.query_values("tag");
  for (const std::string& tag : options.tags) {
    if (tag.empty() || tag.size() > engine::kMaxTagBytes ||
        options.tags.size() > engine::kMaxTags) {
      return base::InvalidArgument("tag: at most 64 tags of 1 to 128 bytes");
    }
  }
  options.metadata_json = request.query_value("metadata").value_or("{}");
  if (options.metadata_json.size() > limits.metadata_bytes) {
    return base::InvalidArgument("metadata is longer than " +
                                 base::FormatSize(limits.metadata_bytes));
  }
  base::Result<json::object> metadata = ParseJsonObject(options.metadata_json, limits.json_depth);
  if (!metadata.ok()) return metadata.status().WithContext("metadata");
  return options;
}

// Passes the body of an upload on to the engine.
class UploadSink final : public BodySink {
 public:
  UploadSink(std::unique_ptr<engine::Upload> upload, ServerMetrics& metrics)
      : upload_(std::move(upload)), metrics_(metrics) {}

  base::Status Append(std::string_view bytes) override {
    metrics_.AddUploadedBytes(bytes.size());
    return upload_->Append(bytes);
  }

  Response Finish() override {
    const base::Result<engine::AddedDocument> added = upload_->Finish();
    if (!added.ok()) return ErrorResponse(added.status());
    json::object body;
    body["document"] = DocumentToJson(added->document);
    return JsonResponse(added->already_there ? 200 : 202, body);
  }

 private:
  const std::unique_ptr<engine::Upload> upload_;
  ServerMetrics& metrics_;
};

std::variant<std::unique_ptr<BodySink>, Response> BeginUpload(const ApiContext& api,
                                                              const Request& request) {
  const base::Result<engine::AddOptions> options = ReadAddOptions(request, api.options.limits);
  if (!options.ok()) return ErrorResponse(options.status());
  base::Result<std::unique_ptr<engine::Upload>> upload = api.engine.BeginUpload(*options);
  if (!upload.ok()) return ErrorResponse(upload.status());
  return std::make_unique<UploadSink>(*std::move(upload), api.metrics);
}

std::optional<store::DocumentState> StateFromName(std::string_view name) {
  for (const store::DocumentState state :
       {store::DocumentState::kQueued, store::DocumentState::kProcessing,
        store::DocumentState::kReady, store::DocumentState::kFailed}) {
    if (name == store::DocumentStateName(state)) return state;
  }
  return std::nullopt;
}

bool IsDocumentKind(std::string_view name) {
  using media::DocumentKind;
  return std::ranges::any_of(
      std::array{DocumentKind::kPdf, DocumentKind::kImage, DocumentKind::kVideo,
                 DocumentKind::kAudio, DocumentKind::kText},
      [&](DocumentKind kind) { return name == media::DocumentKindName(kind); });
}

Response ListDocuments(const ApiContext& api, const Request& request) {
  store::DocumentQuery query;
  query.collection = request.query_value("collection").value_or("default");
  query.tag = request.query_value("tag").value_or("");
  query.kind = request.query_value("kind").value_or("");
  if (!query.kind.empty() && !IsDocumentKind(query.kind)) {
    return ErrorResponse(base::InvalidArgument("kind is none of pdf, image, video, audio, text"),
                         "kind");
  }
  query.cursor = request.query_value("cursor").value_or("");
  const std::string state = request.query_value("state").value_or("");
  if (!state.empty()) {
    query.state = StateFromName(state);
    if (!query.state.has_value()) {
      return ErrorResponse(
          base::InvalidArgument("state is none of queued, processing, ready, failed"), "state");
    }
  }
  const base::Result<int64_t> limit =
      QueryInteger(request, "limit", {.low = 1, .high = 1000, .fallback = 50});
  if (!limit.ok()) return ErrorResponse(limit.status(), "limit");
  query.limit = static_cast<int>(*limit);
  const base::Result<store::DocumentPage> page = api.engine.ListDocuments(query);
  if (!page.ok()) return ErrorResponse(page.status());
  json::array documents;
  for (const store::Document& document : page->documents) {
    documents.emplace_back(DocumentToJson(document));
  }
  return JsonResponse(200, json::object{{"documents", std::move(documents)},
                                        {"next_cursor", TextOrNull(page->next_cursor)}});
}

Response ShowDocument(const ApiContext& api, const Request& request) {
  const base::Result<store::Document> document = api.engine.GetDocument(request.parameter("id"));
  if (!document.ok()) return ErrorResponse(document.status(), "id");
  return JsonResponse(200, DocumentToJson(*document));
}

Response RemoveDocument(const ApiContext& api, const Request& request) {
  const base::Status removed = api.engine.RemoveDocument(request.parameter("id"));
  if (!removed.ok()) return ErrorResponse(removed, "id");
  Response response;
  response.status = 204;
  return response;
}

Response RetryDocument(const ApiContext& api, const Request& request) {
  const base::Result<store::Document> document = api.engine.RetryDocument(request.parameter("id"));
  if (!document.ok()) return ErrorResponse(document.status(), "id");
  return JsonResponse(202, DocumentToJson(*document));
}

Response ListUnits(const ApiContext& api, const Request& request) {
  const base::Result<store::Document> document = api.engine.GetDocument(request.parameter("id"));
  if (!document.ok()) return ErrorResponse(document.status(), "id");
  constexpr int64_t kMaxMs = int64_t{1} << 50;
  const auto page = QueryInteger(request, "page", {.low = 1, .high = 1'000'000, .fallback = 0});
  const auto from_ms = QueryInteger(request, "from_ms", {.low = 0, .high = kMaxMs, .fallback = -1});
  const auto to_ms = QueryInteger(request, "to_ms", {.low = 0, .high = kMaxMs, .fallback = -1});
  const auto limit =
      QueryInteger(request, "limit", {.low = 1, .high = kMaxUnits, .fallback = kMaxUnits});
  // To clients it is a text that they hand back; it says how many units went before.
  const auto passed =
      QueryInteger(request, "cursor", {.low = 0, .high = kMaxUnitCursor, .fallback = 0});
  for (const auto& [name, value] :
       {std::pair("page", &page), std::pair("from_ms", &from_ms), std::pair("to_ms", &to_ms),
        std::pair("limit", &limit), std::pair("cursor", &passed)}) {
    if (!value->ok()) return ErrorResponse(value->status(), name);
  }
  store::Catalog::UnitQuery query;
  query.document_id = document->id;
  query.page = static_cast<int>(*page);
  query.from_ms = *from_ms;
  query.to_ms = *to_ms;
  query.offset = *passed;
  query.limit = static_cast<int>(*limit) + 1;  // One more tells whether there are more.
  const base::Result<std::vector<store::Unit>> units = api.engine.ListUnits(query);
  if (!units.ok()) return ErrorResponse(units.status());
  json::array array;
  for (const store::Unit& unit : *units) {
    if (array.size() == static_cast<size_t>(*limit)) break;
    array.emplace_back(UnitToJson(unit, *document));
  }
  const bool more = units->size() > array.size();
  const std::string next = more ? std::to_string(*passed + *limit) : "";
  return JsonResponse(200,
                      json::object{{"units", std::move(array)}, {"next_cursor", TextOrNull(next)}});
}

// Ids are checked before the engine sees them: anything else does not exist.
Handler WithDocumentId(const ApiContext& api,
                       Response (*handle)(const ApiContext&, const Request&)) {
  return [api, handle](const Request& request) {
    const base::Result<base::Ulid> id = base::Ulid::Parse(request.parameter("id"));
    if (!id.ok()) {
      return ErrorResponse(base::NotFound("there is no document with this id"), "id");
    }
    return handle(api, request);
  };
}

}  // namespace

void AddDocumentRoutes(const ApiContext& api, Router& router) {
  const ServerLimits& limits = api.options.limits;
  Route upload;
  upload.method = "POST";
  upload.pattern = "/v1/documents";
  upload.max_body_bytes = limits.upload_bytes;
  // Bounded by the least rate of a body instead.
  upload.timeout_ms = 0;
  upload.query = std::vector<QueryName>{
      {"filename"}, {"collection"}, {.name = "tag", .repeats = true}, {"metadata"}};
  upload.upload = [api](const Request& request) { return BeginUpload(api, request); };
  router.Add(std::move(upload));

  const auto add = [&](const char* method, const char* pattern, Handler handler,
                       std::vector<QueryName> query = {}) {
    Route route;
    route.query = std::move(query);
    route.method = method;
    route.pattern = pattern;
    route.timeout_ms = limits.request_timeout_ms;
    route.handler = std::move(handler);
    router.Add(std::move(route));
  };
  add("GET", "/v1/documents", [api](const Request& request) { return ListDocuments(api, request); },
      {{"collection"}, {"state"}, {"tag"}, {"kind"}, {"cursor"}, {"limit"}});
  add("GET", "/v1/documents/{id}", WithDocumentId(api, &ShowDocument));
  add("DELETE", "/v1/documents/{id}", WithDocumentId(api, &RemoveDocument));
  add("POST", "/v1/documents/{id}/retry", WithDocumentId(api, &RetryDocument));
  add("GET", "/v1/documents/{id}/units", WithDocumentId(api, &ListUnits),
      {{"page"}, {"from_ms"}, {"to_ms"}, {"cursor"}, {"limit"}});
}

}  // namespace sightline::server
