#include "cmd/hub_pull.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "base/digest.h"
#include "base/size_text.h"
#include "cmd/json_member.h"
#include "cmd/session.h"
#include "engine/components.h"
#include "io/file_system.h"
#include "io/http_client.h"
#include "model/registry.h"

namespace sightline::cmd {
namespace {

namespace json = boost::json;
using base::Result;
using base::Status;

constexpr const char* kDefaultEndpoint = "https://huggingface.co";
constexpr uint64_t kMaxFileBytes = uint64_t{16} << 30;
constexpr size_t kMaxFiles = 10'000;
constexpr uint32_t kRedirects = 5;  // large files come from a content network
constexpr uint32_t kListTimeoutMs = 30'000;
constexpr uint32_t kFileTimeoutMs = 24u * 3600 * 1000;

/// What a CLIP-type model is read from; the first two are the towers.
constexpr std::array<std::string_view, 9> kWanted = {
    "onnx/vision_model.onnx", "onnx/text_model.onnx", "config.json", "preprocessor_config.json",
    "tokenizer_config.json",  "tokenizer.json",       "vocab.json",  "merges.txt",
    "special_tokens_map.json"};
constexpr size_t kTowers = 2;

struct Repository {
  std::string name;      // "ORG/NAME"
  std::string revision;  // "main" unless given
};

struct HubFile {
  std::string path;
  uint64_t size_bytes = 0;
  std::string sha256;  // empty where the hub names none (small files)
};

bool IsPlain(std::string_view text) {
  return !text.empty() && text.front() != '.' &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
         });
}

Result<Repository> ParseId(const std::string& id) {
  const size_t at = id.find('@');
  const std::string name = id.substr(0, at);
  const std::string revision = at == std::string::npos ? "main" : id.substr(at + 1);
  const size_t slash = name.find('/');
  if (slash == std::string::npos || !IsPlain(name.substr(0, slash)) ||
      !IsPlain(name.substr(slash + 1)) || !IsPlain(revision)) {
    return base::InvalidArgument("not ORG/NAME or ORG/NAME@REVISION: hf:" + id);
  }
  return Repository{name, revision};
}

std::string Endpoint() {
  const char* mirror = std::getenv("HF_ENDPOINT");
  std::string endpoint = mirror != nullptr && *mirror != '\0' ? mirror : kDefaultEndpoint;
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint;
}

/// Registry names are lower case: "ORG/NAME" becomes "org--name".
std::string LocalName(const std::string& repository) {
  std::string name;
  for (const char c : repository) {
    if (c == '/') {
      name += "--";
    } else {
      name += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return name;
}

Result<std::vector<HubFile>> ListFiles(io::HttpClient& client, const Repository& repository,
                                       const base::CancelToken& cancel) {
  io::HttpRequest request;
  request.url = Endpoint() + "/api/models/" + repository.name + "/tree/" + repository.revision +
                "?recursive=true";
  request.timeout_ms = kListTimeoutMs;
  request.max_redirects = kRedirects;
  request.cancel = cancel;
  SIGHTLINE_ASSIGN_OR_RETURN(const io::HttpResponse response, client.Send(request));
  if (response.status == 401 || response.status == 403 || response.status == 404) {
    return base::NotFound("the hub has no such model for everybody: hf:" + repository.name);
  }
  json::error_code error;
  const json::value value = json::parse(response.body, error);
  if (response.status != 200 || error || !value.is_array()) {
    return base::Unavailable("the hub does not answer as expected (" +
                             std::to_string(response.status) + "): " + Endpoint());
  }
  std::vector<HubFile> files;
  for (const json::value& entry : value.get_array()) {
    const json::object* object = entry.if_object();
    if (object == nullptr || files.size() >= kMaxFiles) continue;
    HubFile file;
    file.path = TextMember(*object, "path");
    if (std::find(kWanted.begin(), kWanted.end(), file.path) == kWanted.end()) continue;
    file.size_bytes = static_cast<uint64_t>(std::max<int64_t>(0, IntegerMember(*object, "size")));
    if (const json::object* lfs = ObjectMember(*object, "lfs"))
      file.sha256 = TextMember(*lfs, "oid");
    files.push_back(std::move(file));
  }
  for (size_t i = 0; i < kTowers; ++i) {
    const bool there = std::any_of(files.begin(), files.end(),
                                   [i](const HubFile& file) { return file.path == kWanted[i]; });
    if (!there) {
      return base::NotFound("the model has no " + std::string(kWanted[i]) +
                            ": hf:" + repository.name);
    }
  }
  return files;
}

std::string BaseName(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

/// Writes one file below `folder` and gives its registry entry.
Result<model::ModelFile> FetchFile(Session& session, io::HttpClient& client,
                                   const Repository& repository, const HubFile& file,
                                   const std::string& folder) {
  session.console().Remark("fetching " + file.path + " (" + base::FormatSize(file.size_bytes) +
                           ")");
  io::FileSystem& files = io::PosixFileSystem();
  const std::string path = io::JoinPath(folder, BaseName(file.path));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto out, files.OpenForWrite(path, io::WriteMode::kTruncate));
  base::Sha256 digest;
  io::HttpRequest request;
  request.url =
      Endpoint() + "/" + repository.name + "/resolve/" + repository.revision + "/" + file.path;
  request.timeout_ms = kFileTimeoutMs;
  request.max_redirects = kRedirects;
  request.max_body_bytes = kMaxFileBytes;
  request.cancel = session.cancel();
  request.body_writer = [&](std::string_view bytes) {
    digest.Update(bytes);
    return out->Append(bytes);
  };
  SIGHTLINE_ASSIGN_OR_RETURN(const io::HttpResponse response, client.Send(request));
  if (response.status != 200) {
    return base::Unavailable("the hub answered " + std::to_string(response.status) + " for " +
                             file.path);
  }
  SIGHTLINE_RETURN_IF_ERROR(out->Sync());
  const base::Sha256Digest bytes = digest.Finish();
  const std::string sha256 = base::HexEncode(bytes);
  if (!file.sha256.empty() && file.sha256 != sha256) {
    return base::DataLoss("what came has another digest than the hub names: " + file.path);
  }
  return model::ModelFile{BaseName(file.path), sha256, out->size_bytes()};
}

}  // namespace

Status PullFromHub(Session& session, const engine::Config& config, const std::string& id) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Repository repository, ParseId(id));
  const std::unique_ptr<io::HttpClient> client = io::MakeHttpClient();
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<HubFile> files,
                             ListFiles(*client, repository, session.cancel()));
  model::ModelEntry entry;
  entry.name = LocalName(repository.name);
  entry.kind = "dual";
  entry.licence = "see hf:" + repository.name;
  entry.sources = {"hf:" + repository.name + "@" + repository.revision};
  io::FileSystem& file_system = io::PosixFileSystem();
  const std::string models = io::JoinPath(engine::CachePath(config), "models");
  const std::string folder = io::JoinPath(models, entry.name);
  const std::string partial = folder + ".partial";
  SIGHTLINE_RETURN_IF_ERROR(file_system.RemoveTree(partial));
  SIGHTLINE_RETURN_IF_ERROR(file_system.CreateDirectories(partial));
  for (const HubFile& file : files) {
    SIGHTLINE_ASSIGN_OR_RETURN(model::ModelFile fetched,
                               FetchFile(session, *client, repository, file, partial));
    entry.files.push_back(std::move(fetched));
  }
  SIGHTLINE_RETURN_IF_ERROR(file_system.WriteFileAtomically(io::JoinPath(partial, "model.toml"),
                                                            model::FormatRegistry(entry)));
  SIGHTLINE_RETURN_IF_ERROR(file_system.RemoveTree(folder));
  SIGHTLINE_RETURN_IF_ERROR(file_system.Rename(partial, folder));
  session.console().Remark("Use it: sightline --set models.dual_encoder=" + entry.name + " …");
  return base::OkStatus();
}

}  // namespace sightline::cmd
