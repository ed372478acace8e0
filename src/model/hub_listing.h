// What a hub says about the files of a model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sightline::model {

/// A file on the hub.
struct HubFile {
  std::string name;
  std::uint64_t size_bytes = 0;
  std::string sha256;  ///< Empty where the hub does not give it (small files).
};

/// A revision of a model on the hub.
struct HubListing {
  std::string commit;          ///< The revision's commit.
  std::string licence;         ///< Of the model card, may be empty.
  std::vector<HubFile> files;  ///< Those that Sightline reads.
};

/// Reads the answer of `/api/models/ORG/NAME/revision/REV?blobs=true` and keeps the configuration,
/// the vocabulary and the full-precision ONNX files. `kNotFound` where there is no ONNX file,
/// `kDataLoss` for anything that is not such an answer or names a path outside the model's folder.
base::Result<HubListing> ParseHubListing(std::string_view json);

}  // namespace sightline::model
