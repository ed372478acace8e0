// The configuration: a TOML file, and values as they come from the environment and from flags.
#include <algorithm>
#include <string>

#include "base/check.h"
#include "engine/config.h"
#include "fuzz/byte_source.h"
#include "fuzz/memory_file.h"
#include "fuzz/target.h"

namespace sightline::fuzz {
namespace {

// The file up to the first NUL, then the values of two settings.
void Run(std::string_view input) {
  ByteSource source(input);
  const MemoryFile file(source.TakeUntil('\0'));
  engine::ConfigInputs inputs;
  inputs.file = file.path();
  if (!source.IsEmpty()) {
    inputs.environment.emplace_back("SIGHTLINE_PORT", source.TakeUntil('\0'));
    inputs.flags.emplace_back("limits.upload_bytes", source.Rest());
  }
  const auto config = engine::LoadConfig(inputs);
  if (!config.ok()) return;
  CHECK(config->port >= 0 && config->port <= 65535);
  CHECK(config->ingest_workers >= 1 && config->ingest_workers <= 64);
  CHECK(config->pool_factor >= 1 && config->pool_factor <= 4);
  for (const engine::ConfigKey& key : engine::ConfigKeys()) {
    [[maybe_unused]] const std::string value = engine::ConfigValue(*config, key.name);
    CHECK(config->sources.contains(key.name), key.name);
  }
}

const Registration kTarget({.name = "config", .max_bytes = 4096, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
