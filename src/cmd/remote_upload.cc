#include "cmd/remote_upload.h"

#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <cstring>
#include <thread>

#include "base/bounded_queue.h"
#include "cmd/api_json.h"
#include "cmd/json_member.h"

namespace sightline::cmd {
namespace {

namespace json = boost::json;
using base::Result;
using base::Status;

constexpr size_t kPiecesInFlight = 8;
constexpr size_t kPieceBytes = size_t{256} << 10;
constexpr uint32_t kUploadTimeoutMs = 24u * 3600 * 1000;

std::string UploadUrl(const std::string& server_url, const engine::AddOptions& options) {
  std::string url = server_url + "/v1/documents?filename=" + io::UrlEncode(options.file_name) +
                    "&collection=" + io::UrlEncode(options.collection);
  for (const std::string& tag : options.tags) url += "&tag=" + io::UrlEncode(tag);
  if (options.metadata_json != "{}") url += "&metadata=" + io::UrlEncode(options.metadata_json);
  return url;
}

class RemoteUpload final : public engine::Upload {
 public:
  RemoteUpload(io::HttpClient& client, const std::string& server_url,
               const engine::AddOptions& options, const base::CancelToken& cancel)
      : pieces_(kPiecesInFlight), cancel_(cancel) {
    request_.method = "POST";
    request_.url = UploadUrl(server_url, options);
    request_.timeout_ms = kUploadTimeoutMs;
    request_.cancel = cancel;
    request_.body_reader = [this](std::span<char> out) { return NextBytes(out); };
    sender_ = std::thread([this, &client] {
      response_ = client.Send(request_);
      pieces_.Close();  // a server that answered early takes no more
    });
  }

  ~RemoteUpload() override {
    if (!sender_.joinable()) return;
    abandoned_ = true;
    pieces_.Close();
    sender_.join();
  }

  Status Append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const size_t size = std::min(bytes.size(), kPieceBytes);
      if (!pieces_.Push(std::string(bytes.substr(0, size)), cancel_).ok()) return EarlyEnd();
      bytes.remove_prefix(size);
    }
    return base::OkStatus();
  }

  Result<engine::AddedDocument> Finish() override {
    pieces_.Close();
    if (sender_.joinable()) sender_.join();
    SIGHTLINE_RETURN_IF_ERROR(response_.status());
    if (response_->status < 200 || response_->status > 299) return StatusOfResponse(*response_);
    SIGHTLINE_ASSIGN_OR_RETURN(const json::value value, ParseJson(response_->body));
    const json::object* object = value.if_object();
    const json::value* document = object == nullptr ? nullptr : Member(*object, "document");
    SIGHTLINE_ASSIGN_OR_RETURN(store::Document read,
                               ReadDocument(document == nullptr ? value : *document));
    return engine::AddedDocument{std::move(read), response_->status == 200};
  }

 private:
  /// What ended the request before all bytes were sent.
  Status EarlyEnd() {
    SIGHTLINE_RETURN_IF_ERROR(cancel_.Check());
    if (sender_.joinable()) sender_.join();
    SIGHTLINE_RETURN_IF_ERROR(response_.status());
    return StatusOfResponse(*response_);
  }

  Result<size_t> NextBytes(std::span<char> out) {
    if (at_ == piece_.size()) {
      SIGHTLINE_ASSIGN_OR_RETURN(std::optional<std::string> next, pieces_.Pop(cancel_));
      if (abandoned_) return base::Cancelled("the upload was given up");
      if (!next) return size_t{0};
      piece_ = *std::move(next);
      at_ = 0;
    }
    const size_t size = std::min(out.size(), piece_.size() - at_);
    std::memcpy(out.data(), piece_.data() + at_, size);
    at_ += size;
    return size;
  }

  base::BoundedQueue<std::string> pieces_;
  const base::CancelToken cancel_;
  io::HttpRequest request_;
  std::atomic<bool> abandoned_{false};
  // Of the sending thread until it is joined.
  std::string piece_;
  size_t at_ = 0;
  Result<io::HttpResponse> response_ = base::Unavailable("not sent");
  std::thread sender_;
};

}  // namespace

Result<std::unique_ptr<engine::Upload>> BeginRemoteUpload(io::HttpClient& client,
                                                          const std::string& server_url,
                                                          const engine::AddOptions& options,
                                                          const base::CancelToken& cancel) {
  return std::unique_ptr<engine::Upload>(
      std::make_unique<RemoteUpload>(client, server_url, options, cancel));
}

}  // namespace sightline::cmd
