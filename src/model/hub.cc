#include "model/hub.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/digest.h"
#include "model/hub_listing.h"
#include "model/json_object.h"

namespace sightline::model {
namespace {

constexpr char kPublicHub[] = "https://huggingface.co";
constexpr std::uint64_t kMaxListingBytes = 16 << 20;
constexpr std::uint32_t kListingTimeoutMs = 60'000;
constexpr std::uint32_t kFileTimeoutMs = 6 * 3600 * 1000;
constexpr std::uint32_t kMaxRedirects = 5;
constexpr std::size_t kMaxNameBytes = 96;
constexpr int kAttempts = 3;

bool IsHubName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && name.front() != '.' &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

/// Each part of a path encoded, the slashes kept.
std::string EncodePath(std::string_view path) {
  std::string encoded;
  while (true) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    encoded += io::UrlEncode(path.substr(0, slash));
    if (slash == path.size()) return encoded;
    encoded += '/';
    path.remove_prefix(slash + 1);
  }
}

base::Status FromHttpStatus(int status, const std::string& url) {
  const std::string message = "the hub answered " + std::to_string(status) + ": " + url;
  if (status == 401 || status == 403) {
    return base::PermissionDenied(
        "the hub does not give this to everybody: accept the model's terms there and set HF_TOKEN; "
        "it answered " +
        std::to_string(status) + ": " + url);
  }
  if (status == 404) return base::NotFound(message);
  return base::Unavailable(message);
}

/// One pull: the state that its steps share.
class Pull {
 public:
  Pull(const HubSource& source, const PullOptions& options, io::HttpClient& http,
       io::FileSystem& files)
      : source_(source), options_(options), http_(http), files_(files) {
    folder_ = io::JoinPath(io::JoinPath(options.cache_folder, "models"), source.LocalName());
  }

  base::Result<ModelEntry> Run() {
    SIGHTLINE_ASSIGN_OR_RETURN(const HubListing listing, List());
    std::uint64_t total = 0;
    for (const HubFile& file : listing.files) total += file.size_bytes;
    if (total > options_.max_bytes) {
      return base::ResourceExhausted("the model is larger than allowed: " + std::to_string(total) +
                                     " bytes");
    }
    progress_.total_bytes = total;
    ModelEntry entry;
    entry.name = source_.LocalName();
    entry.origin = source_.organisation + "/" + source_.name;
    entry.licence = listing.licence;
    entry.sources = {"hf:" + entry.origin + "@" + listing.commit};
    for (const HubFile& file : listing.files) {
      SIGHTLINE_ASSIGN_OR_RETURN(ModelFile done, Fetch(file, listing.commit));
      entry.files.push_back(std::move(done));
    }
    SIGHTLINE_ASSIGN_OR_RETURN(entry.kind, FindKind());
    SIGHTLINE_RETURN_IF_ERROR(
        files_.WriteFileAtomically(io::JoinPath(folder_, "model.toml"), FormatRegistry(entry)));
    return entry;
  }

 private:
  base::Result<HubListing> List() {
    io::HttpRequest request;
    request.url = options_.endpoint + "/api/models/" + io::UrlEncode(source_.organisation) + "/" +
                  io::UrlEncode(source_.name) + "/revision/" + io::UrlEncode(source_.revision) +
                  "?blobs=true";
    Authorize(request);
    request.max_redirects = kMaxRedirects;
    request.max_body_bytes = kMaxListingBytes;
    request.timeout_ms = kListingTimeoutMs;
    request.cancel = options_.cancel;
    SIGHTLINE_ASSIGN_OR_RETURN(const io::HttpResponse response, http_.Send(request));
    if (response.status != 200) return FromHttpStatus(response.status, request.url);
    return ParseHubListing(response.body);
  }

  /// The client keeps this header from the other hosts that a redirect leads to.
  void Authorize(io::HttpRequest& request) const {
    if (options_.token.empty()) return;
    request.headers.push_back({"Authorization", "Bearer " + options_.token});
  }

  /// The file in its place with its digest, downloaded unless it is there already.
  base::Result<ModelFile> Fetch(const HubFile& file, const std::string& commit) {
    const std::string path = io::JoinPath(folder_, file.name);
    SIGHTLINE_RETURN_IF_ERROR(files_.CreateDirectories(io::ParentPath(path)));
    progress_.file = file.name;
    SIGHTLINE_ASSIGN_OR_RETURN(const bool exists, files_.Exists(path));
    if (exists) {
      const auto digest = Check(path, file);
      if (digest.ok()) {
        Report(file.size_bytes);
        return ModelFile{file.name, *digest, file.size_bytes};
      }
      if (digest.status().code() != base::StatusCode::kDataLoss) return digest.status();
    }
    const std::string part = path + ".part";
    base::Status status;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      status = Download(file, commit, part);
      if (!status.ok()) {
        // Only what a second try can change is tried again.
        if (status.code() != base::StatusCode::kUnavailable) return status;
        continue;
      }
      const auto digest = Check(part, file);
      if (digest.ok()) {
        SIGHTLINE_RETURN_IF_ERROR(files_.Rename(part, path));
        SIGHTLINE_RETURN_IF_ERROR(files_.SyncDirectory(io::ParentPath(path)));
        return ModelFile{file.name, *digest, file.size_bytes};
      }
      SIGHTLINE_RETURN_IF_ERROR(files_.RemoveFile(part));
      status = digest.status();
    }
    return status;
  }

  base::Status Download(const HubFile& file, const std::string& commit, const std::string& part) {
    const auto info = files_.Stat(part);
    const std::uint64_t have =
        info.ok() && info->size_bytes < file.size_bytes ? info->size_bytes : 0;
    SIGHTLINE_ASSIGN_OR_RETURN(
        const auto out,
        files_.OpenForWrite(part, have > 0 ? io::WriteMode::kAppend : io::WriteMode::kTruncate));
    io::HttpRequest request;
    request.url = options_.endpoint + "/" + io::UrlEncode(source_.organisation) + "/" +
                  io::UrlEncode(source_.name) + "/resolve/" + io::UrlEncode(commit) + "/" +
                  EncodePath(file.name);
    Authorize(request);
    if (have > 0) request.headers.push_back({"Range", "bytes=" + std::to_string(have) + "-"});
    request.max_redirects = kMaxRedirects;
    request.max_body_bytes = file.size_bytes + 1;
    request.timeout_ms = kFileTimeoutMs;
    request.cancel = options_.cancel;
    const std::uint64_t before = progress_.done_bytes;
    Report(have);
    request.body_writer = [&](std::string_view bytes) {
      Report(bytes.size());
      return out->Append(bytes);
    };
    const auto response = http_.Send(request);
    SIGHTLINE_RETURN_IF_ERROR(out->Sync());
    SIGHTLINE_RETURN_IF_ERROR(out->Close());
    const bool whole = response.ok() && (response->status == (have > 0 ? 206 : 200));
    if (whole) return base::OkStatus();
    progress_.done_bytes = before;
    if (!response.ok()) return response.status();
    if (response->status == 200 || response->status == 416) {
      // The server does not resume: from the start.
      SIGHTLINE_RETURN_IF_ERROR(files_.RemoveFile(part));
      return base::Unavailable("the hub does not resume downloads: " + request.url);
    }
    return FromHttpStatus(response->status, request.url);
  }

  /// The digest of a file whose size and, where the hub gives it, digest are right.
  base::Result<std::string> Check(const std::string& path, const HubFile& file) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto readable, files_.OpenForRead(path));
    if (readable->size_bytes() != file.size_bytes) {
      return base::DataLoss("a downloaded file has another size than the hub says: " + path);
    }
    SIGHTLINE_ASSIGN_OR_RETURN(const auto mapped, readable->Map());
    base::Sha256 sha256;
    sha256.Update(mapped->bytes());
    std::string digest = base::HexEncode(sha256.Finish());
    if (!file.sha256.empty() && digest != file.sha256) {
      return base::DataLoss("a downloaded file has another SHA-256 than the hub says: " + path);
    }
    return digest;
  }

  /// What the model is for, from its configuration.
  base::Result<std::string> FindKind() {
    SIGHTLINE_ASSIGN_OR_RETURN(
        const std::string text,
        files_.ReadFile(io::JoinPath(folder_, "config.json"), kMaxListingBytes));
    SIGHTLINE_ASSIGN_OR_RETURN(const JsonObject config, JsonObject::Parse(text));
    const std::string type = config.Text("model_type").value_or("");
    if (type.find("clip") != std::string::npos) return std::string("dual");
    if (text.find("ForSequenceClassification") != std::string::npos) return std::string("reranker");
    return std::string("text");
  }

  void Report(std::uint64_t bytes) {
    progress_.done_bytes += bytes;
    if (options_.progress) options_.progress(progress_);
  }

  const HubSource& source_;
  const PullOptions& options_;
  io::HttpClient& http_;
  io::FileSystem& files_;
  std::string folder_;
  PullProgress progress_;
};

}  // namespace

std::string HubSource::LocalName() const {
  std::string local = organisation + "--" + name;
  for (char& c : local) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return local.substr(0, 64);
}

base::Result<HubSource> ParseHubSource(std::string_view text) {
  const base::Status wrong = base::InvalidArgument(
      "expected hf:ORGANISATION/NAME or hf:ORGANISATION/NAME@REVISION: " + std::string(text));
  if (!text.starts_with("hf:")) return wrong;
  text.remove_prefix(3);
  HubSource source;
  if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
    source.revision = text.substr(at + 1);
    text = text.substr(0, at);
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return wrong;
  source.organisation = text.substr(0, slash);
  source.name = text.substr(slash + 1);
  // A registry's name may not begin with '-', which LocalName makes of '_' as well.
  const bool ok = IsHubName(source.organisation) && source.organisation.front() != '-' &&
                  source.organisation.front() != '_' && IsHubName(source.name) &&
                  IsHubName(source.revision);
  if (!ok) return wrong;
  return source;
}

std::string HubEndpoint() {
  const char* value = std::getenv("HF_ENDPOINT");
  std::string endpoint = value != nullptr && *value != '\0' ? value : kPublicHub;
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint;
}

std::string HubToken() {
  const char* value = std::getenv("HF_TOKEN");
  return value == nullptr ? "" : value;
}

base::Result<ModelEntry> PullModel(const HubSource& source, const PullOptions& options,
                                   io::HttpClient& http, io::FileSystem& files) {
  return Pull(source, options, http, files).Run();
}

}  // namespace sightline::model
