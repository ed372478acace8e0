// The HTTP client on libcurl.
#include <curl/curl.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

#include "base/check.h"
#include "base/mutex.h"
#include "io/http_client.h"

namespace sightline::io {
namespace {

using base::MutexLock;

constexpr size_t kMaxIdleHandles = 32;

void InitializeCurl() {
  static std::once_flag once;
  std::call_once(once, [] { CHECK(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK); });
}

struct CurlDeleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using CurlHandle = std::unique_ptr<CURL, CurlDeleter>;

struct CurlListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using CurlList = std::unique_ptr<curl_slist, CurlListDeleter>;

void Append(CurlList& list, const std::string& text) {
  curl_slist* longer = curl_slist_append(list.get(), text.c_str());
  CHECK(longer != nullptr, "out of memory");
  // The list keeps its head: only an empty one gets a new one.
  if (list == nullptr) list.reset(longer);
}

bool HasForbiddenBytes(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

// One request on its way: what the callbacks of curl work on. A failure of ours is kept here, since
// curl only learns that a callback gave up.
class Transfer {
 public:
  explicit Transfer(const HttpRequest& request) : request_(request) {}

  base::Result<HttpResponse> Run(CURL* handle) {
    SIGHTLINE_RETURN_IF_ERROR(Configure(handle));
    const CURLcode code = curl_easy_perform(handle);
    if (!failure_.ok()) return failure_;
    if (code != CURLE_OK) return Explain(code);
    long status = 0;
    char* url = nullptr;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(handle, CURLINFO_EFFECTIVE_URL, &url);
    response_.status = static_cast<int>(status);
    if (url != nullptr) response_.url = url;
    return std::move(response_);
  }

 private:
  template <typename Value>
  void Set(CURL* handle, CURLoption option, Value value) {
    const CURLcode code = curl_easy_setopt(handle, option, value);
    if (code != CURLE_OK && failure_.ok()) {
      failure_ = base::InvalidArgument(std::string("the HTTP client refused an option: ") +
                                       curl_easy_strerror(code));
    }
  }

  base::Status Configure(CURL* handle) {
    Set(handle, CURLOPT_ERRORBUFFER, error_text_.data());
    Set(handle, CURLOPT_NOSIGNAL, 1L);
    Set(handle, CURLOPT_URL, request_.url.c_str());
    Set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    Set(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    Set(handle, CURLOPT_PROXY, "");
    Set(handle, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    Set(handle, CURLOPT_ACCEPT_ENCODING, static_cast<char*>(nullptr));
    ConfigureConnection(handle);
    SIGHTLINE_RETURN_IF_ERROR(ConfigureHeaders(handle));
    ConfigureBody(handle);
    ConfigureCallbacks(handle);
    return failure_;
  }

  void ConfigureConnection(CURL* handle) {
    if (!request_.pinned_address.empty()) {
      const bool v6 = request_.pinned_address.find(':') != std::string::npos;
      // HOST:PORT empty: whatever the URL names; the port stays.
      Append(connect_to_,
             "::" + (v6 ? "[" + request_.pinned_address + "]" : request_.pinned_address) + ":");
      Set(handle, CURLOPT_CONNECT_TO, connect_to_.get());
      // A kept connection to the same name may lead to another address.
      Set(handle, CURLOPT_FRESH_CONNECT, 1L);
      Set(handle, CURLOPT_FORBID_REUSE, 1L);
    }
    const bool follow = request_.max_redirects > 0 && request_.pinned_address.empty();
    Set(handle, CURLOPT_FOLLOWLOCATION, follow ? 1L : 0L);
    Set(handle, CURLOPT_MAXREDIRS, static_cast<long>(request_.max_redirects));
    Set(handle, CURLOPT_SSL_VERIFYPEER, 1L);
    Set(handle, CURLOPT_SSL_VERIFYHOST, 2L);
    if (!request_.ca_file.empty()) Set(handle, CURLOPT_CAINFO, request_.ca_file.c_str());
    Set(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connect_timeout_ms));
    const auto remaining =
        std::chrono::ceil<std::chrono::milliseconds>(request_.cancel.remaining()).count();
    // 0 would mean no timeout at all.
    Set(handle, CURLOPT_TIMEOUT_MS,
        std::clamp<long>(remaining, 1, std::max<long>(1, request_.timeout_ms)));
  }

  base::Status ConfigureHeaders(CURL* handle) {
    for (const HttpHeader& header : request_.headers) {
      if (header.name.empty() || HasForbiddenBytes(header.name) ||
          HasForbiddenBytes(header.value) || header.name.find(':') != std::string::npos) {
        return base::InvalidArgument("not a header: " + header.name);
      }
      // curl writes "Name;" as a header with an empty value.
      Append(headers_,
             header.value.empty() ? header.name + ";" : header.name + ": " + header.value);
    }
    // Waiting for "100 Continue" costs a second on servers that do not know it.
    Append(headers_, "Expect:");
    Set(handle, CURLOPT_HTTPHEADER, headers_.get());
    return base::OkStatus();
  }

  void ConfigureBody(CURL* handle) {
    const bool streamed = request_.body_reader != nullptr;
    if (streamed) {
      Set(handle, CURLOPT_UPLOAD, 1L);
      const auto size = request_.body_size_bytes.has_value()
                            ? static_cast<curl_off_t>(*request_.body_size_bytes)
                            : curl_off_t{-1};
      Set(handle, CURLOPT_INFILESIZE_LARGE, size);
    } else if (!request_.body.empty() || request_.method == "POST") {
      Set(handle, CURLOPT_POST, 1L);
      Set(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
      Set(handle, CURLOPT_POSTFIELDS, request_.body.c_str());
    }
    if (request_.method == "HEAD") Set(handle, CURLOPT_NOBODY, 1L);
    Set(handle, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }

  void ConfigureCallbacks(CURL* handle) {
    Set(handle, CURLOPT_HEADERFUNCTION, &Transfer::OnHeader);
    Set(handle, CURLOPT_HEADERDATA, this);
    Set(handle, CURLOPT_WRITEFUNCTION, &Transfer::OnBody);
    Set(handle, CURLOPT_WRITEDATA, this);
    Set(handle, CURLOPT_READFUNCTION, &Transfer::OnRead);
    Set(handle, CURLOPT_READDATA, this);
    Set(handle, CURLOPT_XFERINFOFUNCTION, &Transfer::OnProgress);
    Set(handle, CURLOPT_XFERINFODATA, this);
    Set(handle, CURLOPT_NOPROGRESS, 0L);
  }

  static size_t OnHeader(char* data, size_t size, size_t count, void* self) {
    return static_cast<Transfer*>(self)->TakeHeader({data, size * count}) ? size * count : 0;
  }
  static size_t OnBody(char* data, size_t size, size_t count, void* self) {
    return static_cast<Transfer*>(self)->TakeBody({data, size * count}) ? size * count : 0;
  }
  static size_t OnRead(char* data, size_t size, size_t count, void* self) {
    return static_cast<Transfer*>(self)->GiveBody({data, size * count});
  }
  static int OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto* transfer = static_cast<Transfer*>(self);
    const base::Status status = transfer->request_.cancel.Check();
    if (status.ok()) return 0;
    transfer->failure_ = status;
    return 1;
  }

  bool TakeHeader(std::string_view line) {
    header_bytes_ += line.size();
    if (header_bytes_ > request_.max_header_bytes) {
      failure_ = base::ResourceExhausted("the response has more than " +
                                         std::to_string(request_.max_header_bytes) +
                                         " bytes of headers: " + request_.url);
      return false;
    }
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("HTTP/")) {
      // A new response: after a redirect or an interim one.
      response_.headers.clear();
      response_.body.clear();
      const size_t space = line.find(' ');
      status_ = space == std::string_view::npos ? 0 : std::atoi(line.data() + space + 1);
      return true;
    }
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) return true;
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t'))
      value.remove_prefix(1);
    response_.headers.push_back({std::string(line.substr(0, colon)), std::string(value)});
    return true;
  }

  bool TakeBody(std::string_view data) {
    body_bytes_ += data.size();
    if (body_bytes_ > request_.max_body_bytes) {
      failure_ = base::ResourceExhausted("the response is longer than " +
                                         std::to_string(request_.max_body_bytes) +
                                         " bytes: " + request_.url);
      return false;
    }
    if (request_.body_writer != nullptr && status_ >= 200 && status_ < 300) {
      failure_ = request_.body_writer(data);
      return failure_.ok();
    }
    response_.body.append(data);
    return true;
  }

  size_t GiveBody(std::span<char> out) {
    const base::Result<size_t> given = request_.body_reader(out);
    if (given.ok()) return *given;
    failure_ = given.status();
    return CURL_READFUNC_ABORT;
  }

  base::Status Explain(CURLcode code) const {
    const char* text = error_text_[0] != '\0' ? error_text_.data() : curl_easy_strerror(code);
    const std::string message = request_.method + " " + request_.url + ": " + text;
    switch (code) {
      case CURLE_URL_MALFORMAT:
      case CURLE_UNSUPPORTED_PROTOCOL:
        return base::InvalidArgument(message);
      case CURLE_OPERATION_TIMEDOUT:
        return base::DeadlineExceeded(message);
      case CURLE_TOO_MANY_REDIRECTS:
        return base::ResourceExhausted(message);
      default:
        return base::Unavailable(message);
    }
  }

  const HttpRequest& request_;
  HttpResponse response_;
  base::Status failure_;
  int status_ = 0;
  uint64_t header_bytes_ = 0;
  uint64_t body_bytes_ = 0;
  std::array<char, CURL_ERROR_SIZE> error_text_{};
  CurlList headers_;
  CurlList connect_to_;
};

class CurlHttpClient final : public HttpClient {
 public:
  CurlHttpClient() { InitializeCurl(); }

  base::Result<HttpResponse> Send(const HttpRequest& request) override {
    SIGHTLINE_RETURN_IF_ERROR(request.cancel.Check());
    if (HasForbiddenBytes(request.url) || HasForbiddenBytes(request.method)) {
      return base::InvalidArgument("a line break in the URL or the method");
    }
    CurlHandle handle = TakeHandle();
    Transfer transfer(request);
    base::Result<HttpResponse> response = transfer.Run(handle.get());
    // Forgets the options, keeps the connections.
    curl_easy_reset(handle.get());
    ReturnHandle(std::move(handle));
    return response;
  }

 private:
  CurlHandle TakeHandle() {
    {
      MutexLock lock(mutex_);
      if (!idle_.empty()) {
        CurlHandle handle = std::move(idle_.back());
        idle_.pop_back();
        return handle;
      }
    }
    CurlHandle handle(curl_easy_init());
    CHECK(handle != nullptr, "curl_easy_init");
    return handle;
  }

  void ReturnHandle(CurlHandle handle) {
    MutexLock lock(mutex_);
    if (idle_.size() < kMaxIdleHandles) idle_.push_back(std::move(handle));
  }

  base::Mutex mutex_;
  std::vector<CurlHandle> idle_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace

std::string_view HttpResponse::header(std::string_view name) const {
  for (const HttpHeader& header : headers) {
    if (header.name.size() == name.size() &&
        strncasecmp(header.name.data(), name.data(), name.size()) == 0) {
      return header.value;
    }
  }
  return {};
}

std::unique_ptr<HttpClient> MakeHttpClient() { return std::make_unique<CurlHttpClient>(); }

std::string UrlEncode(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      out.push_back(c);
    } else {
      out.push_back('%');
      out.push_back(kDigits[byte >> 4]);
      out.push_back(kDigits[byte & 15]);
    }
  }
  return out;
}

}  // namespace sightline::io
