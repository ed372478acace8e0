#include "engine/components.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "io/file_system.h"
#include "media/sandboxed_decoder.h"
#include "model/model_set.h"
#include "queue/catalog_job_queue.h"
#include "store/local_store.h"

namespace sightline::engine {
namespace {

using base::Result;

/// Folder of the running program; empty when the system does not tell.
std::filesystem::path ProgramFolder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

model::ModelOptions ModelOptionsOf(const Config& config) {
  model::ModelOptions options;
  options.cache_folder = CachePath(config);
  options.registry_path = RegistryPath(config);
  options.threads = EncoderThreads(config);
  options.dual_model = config.dual_encoder;
  if (!config.speech) options.speech_model.clear();
  return options;
}

store::LocalStoreOptions StoreOptionsOf(const Config& config) {
  store::LocalStoreOptions options;
  options.data_dir = config.data_dir;
  options.segments.compaction_threads = config.compaction_threads;
  options.segments.compaction_bytes_per_second =
      static_cast<std::uint64_t>(config.compaction_mib_per_second) << 20U;
  return options;
}

}  // namespace

std::string SharePath(std::string_view name) {
  return (ProgramFolder().parent_path() / "share" / "sightline" / name).string();
}

std::string RegistryPath(const Config& config) {
  return config.registry.empty() ? SharePath("registry.toml") : config.registry;
}

std::string DecoderPath(const Config& config) {
  return config.decoder.empty() ? (ProgramFolder() / "sightline-decode").string() : config.decoder;
}

std::string CachePath(const Config& config) {
  if (!config.cache_dir.empty()) return config.cache_dir;
  // Read once, before threads start: nothing here changes the environment.
  const char* cache_home = std::getenv("XDG_CACHE_HOME");
  if (cache_home != nullptr && *cache_home != '\0') return std::string(cache_home) + "/sightline";
  const char* home = std::getenv("HOME");
  return std::string(home == nullptr ? "." : home) + "/.cache/sightline";
}

int EncoderThreads(const Config& config) {
  if (config.encoder_threads > 0) return config.encoder_threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

Result<Components> OpenComponents(const Config& config) {
  Components components;
  SIGHTLINE_ASSIGN_OR_RETURN(store::LocalStore store,
                             store::OpenLocalStore(StoreOptionsOf(config)));
  components.catalog = std::move(store.catalog);
  components.blobs = std::move(store.blobs);
  components.vectors = std::move(store.vectors);
  components.lexical = std::move(store.lexical);
  SIGHTLINE_ASSIGN_OR_RETURN(components.queue,
                             queue::CatalogJobQueue::Open(*store.database, base::SystemClock()));
  components.decoder = media::MakeSandboxedDecoder({.executable = DecoderPath(config)});
  SIGHTLINE_ASSIGN_OR_RETURN(components.models,
                             model::OpenModels(ModelOptionsOf(config), io::PosixFileSystem()));
  return components;
}

}  // namespace sightline::engine
