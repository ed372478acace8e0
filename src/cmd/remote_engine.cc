#include "cmd/remote_engine.h"

#include <boost/json.hpp>
#include <fstream>
#include <sstream>

#include "base/random.h"
#include "cmd/api_json.h"
#include "cmd/json_member.h"
#include "cmd/remote_upload.h"

namespace sightline::cmd {
namespace {

namespace json = boost::json;
using base::OkStatus;
using base::Result;
using base::Status;

constexpr uint32_t kCallTimeoutMs = 120'000;
constexpr uint32_t kAliveTimeoutMs = 3'000;
constexpr std::chrono::milliseconds kPollInterval{250};
constexpr std::uintmax_t kMaxPictureBytes = std::uintmax_t{20} << 20;

/// Waits, or returns early with the failure of `cancel`.
Status Pause(std::chrono::nanoseconds time, const base::CancelToken& cancel) {
  base::Mutex mutex;
  base::CondVar wake;
  const std::stop_callback stop(cancel.stop_token(), [&] {
    const base::MutexLock lock(mutex);
    wake.NotifyAll();
  });
  const base::MutexLock lock(mutex);
  SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
  wake.WaitFor(mutex, std::min(time, cancel.remaining()));
  return cancel.Check();
}

Result<std::string> ReadPicture(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return base::NotFound("cannot open the picture: " + path);
  const std::streamoff size = file.tellg();
  if (size < 0 || static_cast<std::uintmax_t>(size) > kMaxPictureBytes) {
    return base::InvalidArgument("the picture is larger than 20 MiB: " + path);
  }
  std::string bytes(static_cast<size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), size)) return base::IoError("cannot read the picture: " + path);
  return bytes;
}

std::string Part(const std::string& boundary, std::string_view disposition, std::string_view body) {
  std::string part = "--" + boundary + "\r\nContent-Disposition: form-data; ";
  part += disposition;
  part += "\r\n\r\n";
  part += body;
  part += "\r\n";
  return part;
}

json::object OptionsJson(const retrieve::SearchRequest& request) {
  json::object options{{"collection", request.collection}, {"top_k", request.top_k}};
  if (request.mode == store::SearchMode::kExact) options["exact"] = true;
  if (!request.filter.IsEmpty()) options["filter"] = FilterJson(request.filter);
  if (!request.routes.empty()) {
    json::array routes;
    for (const retrieve::Route route : request.routes) routes.emplace_back(RouteName(route));
    options["routes"] = std::move(routes);
  }
  return options;
}

/// A search with a picture, as multipart/form-data (RFC 7578).
Result<io::HttpRequest> PictureRequest(const retrieve::SearchRequest& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string picture, ReadPicture(request.image_path));
  // Long enough never to occur in a picture by chance.
  const std::string boundary = "sightline-" + std::to_string(base::SystemRandom().NextUint64()) +
                               std::to_string(base::SystemRandom().NextUint64());
  io::HttpRequest http;
  http.headers.push_back({"Content-Type", "multipart/form-data; boundary=" + boundary});
  http.body = Part(boundary, "name=\"query\"", request.query) +
              Part(boundary, "name=\"options\"", json::serialize(OptionsJson(request))) +
              Part(boundary, "name=\"image\"; filename=\"picture\"", picture) + "--" + boundary +
              "--\r\n";
  return http;
}

io::HttpRequest WordsRequest(const retrieve::SearchRequest& request) {
  json::object body = OptionsJson(request);
  body["query"] = request.query;
  io::HttpRequest http;
  http.headers.push_back({"Content-Type", "application/json"});
  http.body = json::serialize(body);
  return http;
}

std::string ListPath(const store::DocumentQuery& query) {
  std::string path = "/v1/documents?collection=" + io::UrlEncode(query.collection) +
                     "&limit=" + std::to_string(query.limit);
  if (query.state) path += std::string("&state=") + store::DocumentStateName(*query.state);
  if (!query.tag.empty()) path += "&tag=" + io::UrlEncode(query.tag);
  if (!query.kind.empty()) path += "&kind=" + io::UrlEncode(query.kind);
  if (!query.cursor.empty()) path += "&cursor=" + io::UrlEncode(query.cursor);
  return path;
}

std::string DocumentPath(std::string_view id) { return "/v1/documents/" + io::UrlEncode(id); }

}  // namespace

Status StatusOfResponse(const io::HttpResponse& response) {
  std::string message;
  json::error_code error;
  const json::value body = json::parse(response.body, error);
  if (!error && body.is_object()) {
    if (const json::object* told = ObjectMember(body.get_object(), "error")) {
      message = TextMember(*told, "message");
    }
  }
  if (message.empty()) message = "the server answered " + std::to_string(response.status);
  switch (response.status) {
    case 400:
    case 413:
    case 415:
      return base::InvalidArgument(std::move(message));
    case 401:
    case 403:
      return base::PermissionDenied(std::move(message));
    case 404:
      return base::NotFound(std::move(message));
    case 409:
      return base::FailedPrecondition(std::move(message));
    case 429:
      return base::ResourceExhausted(std::move(message));
    case 503:
      return base::Unavailable(std::move(message));
    case 507:
      return base::StorageFull(std::move(message));
    case 504:
      return base::DeadlineExceeded(std::move(message));
    default:
      return base::Unavailable(std::move(message));
  }
}

Result<std::unique_ptr<RemoteEngine>> RemoteEngine::Connect(std::string url,
                                                            std::unique_ptr<io::HttpClient> client,
                                                            const base::CancelToken& cancel) {
  while (url.ends_with('/')) url.pop_back();
  io::HttpRequest request;
  request.url = url + "/health/live";
  request.timeout_ms = kAliveTimeoutMs;
  request.connect_timeout_ms = kAliveTimeoutMs;
  request.cancel = cancel;
  const Result<io::HttpResponse> response = client->Send(request);
  if (!response.ok()) {
    return response.status().WithContext("the server of the data folder does not answer at " + url);
  }
  if (response->status != 200) {
    return base::Unavailable("what answers at " + url + " is not a Sightline server");
  }
  return std::unique_ptr<RemoteEngine>(new RemoteEngine(url, std::move(client), cancel));
}

Result<std::string> RemoteEngine::Call(io::HttpRequest request) {
  request.url = url_ + request.url;
  request.timeout_ms = kCallTimeoutMs;
  SIGHTLINE_ASSIGN_OR_RETURN(io::HttpResponse response, client_->Send(request));
  if (response.status < 200 || response.status > 299) return StatusOfResponse(response);
  return std::move(response.body);
}

Result<std::string> RemoteEngine::Get(const std::string& path) {
  io::HttpRequest request;
  request.url = path;
  request.cancel = cancel_;
  return Call(std::move(request));
}

Result<std::unique_ptr<engine::Upload>> RemoteEngine::BeginUpload(
    const engine::AddOptions& options) {
  return BeginRemoteUpload(*client_, url_, options, cancel_);
}

Result<store::Document> RemoteEngine::GetDocument(std::string_view id) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string body, Get(DocumentPath(id)));
  SIGHTLINE_ASSIGN_OR_RETURN(const json::value value, ParseJson(body));
  return ReadDocument(value);
}

Result<store::DocumentPage> RemoteEngine::ListDocuments(const store::DocumentQuery& query) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string body, Get(ListPath(query)));
  SIGHTLINE_ASSIGN_OR_RETURN(const json::value value, ParseJson(body));
  const json::object* object = value.if_object();
  const json::array* documents = object == nullptr ? nullptr : ArrayMember(*object, "documents");
  if (documents == nullptr) return base::DataLoss("the server's answer has no documents");
  store::DocumentPage page;
  for (const json::value& document : *documents) {
    SIGHTLINE_ASSIGN_OR_RETURN(store::Document read, ReadDocument(document));
    page.documents.push_back(std::move(read));
  }
  page.next_cursor = TextMember(*object, "next_cursor");
  return page;
}

Status RemoteEngine::RemoveDocument(std::string_view id) {
  io::HttpRequest request;
  request.method = "DELETE";
  request.url = DocumentPath(id);
  request.cancel = cancel_;
  return Call(std::move(request)).status();
}

Result<store::Document> RemoteEngine::RetryDocument(std::string_view id) {
  io::HttpRequest request;
  request.method = "POST";
  request.url = DocumentPath(id) + "/retry";
  request.cancel = cancel_;
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string body, Call(std::move(request)));
  SIGHTLINE_ASSIGN_OR_RETURN(const json::value value, ParseJson(body));
  return ReadDocument(value);
}

Result<std::vector<store::Unit>> RemoteEngine::ListUnits(const store::Catalog::UnitQuery& query) {
  std::string path =
      DocumentPath(query.document_id) + "/units?limit=" + std::to_string(query.limit);
  if (query.offset > 0) path += "&cursor=" + std::to_string(query.offset);
  if (query.page > 0) path += "&page=" + std::to_string(query.page);
  if (query.from_ms >= 0) path += "&from_ms=" + std::to_string(query.from_ms);
  if (query.to_ms >= 0) path += "&to_ms=" + std::to_string(query.to_ms);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string body, Get(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const json::value value, ParseJson(body));
  const json::object* object = value.if_object();
  const json::array* units = object == nullptr ? nullptr : ArrayMember(*object, "units");
  if (units == nullptr) return base::DataLoss("the server's answer has no units");
  std::vector<store::Unit> read;
  for (const json::value& unit : *units) {
    SIGHTLINE_ASSIGN_OR_RETURN(store::Unit one, ReadUnit(unit));
    one.document_id = query.document_id;
    read.push_back(std::move(one));
  }
  return read;
}

Result<store::Document> RemoteEngine::WaitForDocument(std::string_view id,
                                                      const base::CancelToken& cancel) {
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(store::Document document, GetDocument(id));
    Notify(document);
    if (document.state == store::DocumentState::kReady ||
        document.state == store::DocumentState::kFailed) {
      return document;
    }
    SIGHTLINE_RETURN_IF_ERROR(Pause(kPollInterval, cancel));
  }
}

Result<retrieve::SearchResponse> RemoteEngine::Search(const retrieve::SearchRequest& request,
                                                      const base::CancelToken& cancel) {
  io::HttpRequest http;
  if (request.image_path.empty()) {
    http = WordsRequest(request);
  } else {
    SIGHTLINE_ASSIGN_OR_RETURN(http, PictureRequest(request));
  }
  http.method = "POST";
  http.url = "/v1/search";
  http.cancel = cancel;
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string body, Call(std::move(http)));
  SIGHTLINE_ASSIGN_OR_RETURN(const json::value value, ParseJson(body));
  return ReadSearchResponse(value);
}

Result<std::int64_t> RemoteEngine::BlobSize(std::string_view sha256) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string body, Get("/v1/previews/" + io::UrlEncode(sha256)));
  return static_cast<std::int64_t>(body.size());
}

Result<std::string> RemoteEngine::ReadBlob(std::string_view sha256, std::int64_t offset,
                                           std::int64_t length) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string body, Get("/v1/previews/" + io::UrlEncode(sha256)));
  if (offset < 0 || length < 0 || static_cast<size_t>(offset) > body.size()) {
    return base::InvalidArgument("outside of the preview: byte " + std::to_string(offset));
  }
  return body.substr(static_cast<size_t>(offset), static_cast<size_t>(length));
}

Result<std::shared_ptr<const media::EncodedImage>> RemoteEngine::DrawPage(
    const engine::PageRequest& request, const base::CancelToken& /*cancel*/) {
  return base::FailedPrecondition("pages are drawn by the server at " + url_ + ": document " +
                                  request.document_id);
}

Result<engine::SystemInfo> RemoteEngine::GetSystemInfo() {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string body, Get("/v1/system"));
  SIGHTLINE_ASSIGN_OR_RETURN(const json::value value, ParseJson(body));
  const json::object* object = value.if_object();
  if (object == nullptr) return base::DataLoss("the server's answer is not an object");
  engine::SystemInfo info;
  info.version = TextMember(*object, "version");
  info.data_bytes = IntegerMember(*object, "data_dir_bytes");
  info.counts.documents = IntegerMember(*object, "documents");
  info.counts.units = IntegerMember(*object, "units");
  if (const json::object* queue = ObjectMember(*object, "queue")) {
    info.queue.queued = IntegerMember(*queue, "queued");
    info.queue.running = IntegerMember(*queue, "running");
    info.queue.dead = IntegerMember(*queue, "failed");
  }
  return info;
}

int RemoteEngine::AddListener(engine::DocumentListener listener) {
  const base::MutexLock lock(mutex_);
  listeners_[next_listener_] = std::move(listener);
  return next_listener_++;
}

void RemoteEngine::RemoveListener(int id) {
  const base::MutexLock lock(mutex_);
  listeners_.erase(id);
}

Status RemoteEngine::AnnounceUrl(std::string_view url) {
  return base::FailedPrecondition("the data folder is served elsewhere already, not at " +
                                  std::string(url));
}

void RemoteEngine::Notify(const store::Document& document) {
  std::map<int, engine::DocumentListener> listeners;
  {
    const base::MutexLock lock(mutex_);
    listeners = listeners_;
  }
  for (const auto& [id, listener] : listeners) listener(document);
}

}  // namespace sightline::cmd
