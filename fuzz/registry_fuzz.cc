// The registry of models: what is read is within its bounds, and is the same when written and read.
#include <string>

#include "base/check.h"
#include "fuzz/target.h"
#include "model/hub.h"
#include "model/registry.h"

namespace sightline::fuzz {
namespace {

void CheckEntry(const model::ModelEntry& entry) {
  CHECK(!entry.name.empty() && !entry.files.empty());
  CHECK(entry.dims >= 0 && entry.dims <= 4096, "dims are those of vectors");
  for (const model::ModelFile& file : entry.files) {
    CHECK(("/" + file.name + "/").find("/../") == std::string::npos, file.name);
    CHECK(file.sha256.size() == 64);
  }
  const auto again = model::ParseRegistry(model::FormatRegistry(entry));
  CHECK(again.ok(), again.status().ToString());
  CHECK(again->size() == 1);
  const model::ModelEntry& read = again->front();
  CHECK(read.name == entry.name && read.licence == entry.licence && read.dims == entry.dims &&
        read.sources == entry.sources && read.FilesDigest("") == entry.FilesDigest(""));
}

// The registry that a pull of this model writes can be read again.
void CheckPulledName(const std::string& name) {
  model::ModelEntry entry;
  entry.name = name;
  entry.files.push_back({"model.onnx", std::string(64, 'a'), 1});
  CHECK(model::ParseRegistry(model::FormatRegistry(entry)).ok(), name);
}

void Run(std::string_view input) {
  const auto entries = model::ParseRegistry(input);
  if (entries.ok()) {
    for (const model::ModelEntry& entry : *entries) CheckEntry(entry);
  }
  const auto source = model::ParseHubSource(input);
  if (source.ok()) CheckPulledName(source->LocalName());
}

const Registration kTarget({.name = "registry", .max_bytes = 4096, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
