// Models from a hub that speaks Hugging Face's HTTP API, for `models pull hf:ORG/NAME[@REVISION]`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/result.h"
#include "io/file_system.h"
#include "io/http_client.h"
#include "model/registry.h"

namespace sightline::model {

/// Where a model is on the hub.
struct HubSource {
  std::string organisation;
  std::string name;
  std::string revision = "main";

  /// Name in the cache folder: "openai--clip-vit-base-patch32".
  std::string LocalName() const;
};

/// Reads "hf:ORG/NAME" or "hf:ORG/NAME@REVISION". `kInvalidArgument` says the form.
base::Result<HubSource> ParseHubSource(std::string_view text);

/// The hub of the environment variable HF_ENDPOINT (a mirror), or the public one.
std::string HubEndpoint();

/// The token of the environment variable HF_TOKEN, for models that are not for everybody; or empty.
std::string HubToken();

/// How far a pull is.
struct PullProgress {
  std::string file;
  std::uint64_t done_bytes = 0;   ///< Of all files together.
  std::uint64_t total_bytes = 0;  ///< Of all files together.
};

/// From where, to where, and how much at most.
struct PullOptions {
  std::string endpoint;      ///< `HubEndpoint()`.
  std::string token;         ///< `HubToken()`; goes to the endpoint only, never to where it leads.
  std::string cache_folder;  ///< The model goes to `cache_folder/models/LOCAL NAME/`.
  std::function<void(const PullProgress&)> progress;  ///< May be empty.
  std::uint64_t max_bytes = std::uint64_t{32} << 30;  ///< Of all files together.
  base::CancelToken cancel;
};

/// Downloads the configuration, the vocabulary and the full-precision ONNX files of a model, checks
/// the digests that the hub gives, and writes `model.toml` last, so that a model which is half
/// there is not listed. A pull that was interrupted goes on where it stopped. Returns the entry.
base::Result<ModelEntry> PullModel(const HubSource& source, const PullOptions& options,
                                   io::HttpClient& http, io::FileSystem& files);

}  // namespace sightline::model
