// Configuration: flags > SIGHTLINE_* > TOML file > defaults.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sightline::engine {

/// Where a value came from.
enum class ConfigSource { kDefault, kFile, kEnvironment, kFlag };
/// "default", "file", "environment", "flag".
const char* ConfigSourceName(ConfigSource source);

/// The effective configuration.
struct Config {
  std::string data_dir = "sightline-data";  ///< `data.dir`, SIGHTLINE_DATA, --data
  std::string cache_dir;                    ///< `models.cache_dir`; empty: XDG cache folder
  std::string registry;                     ///< `models.registry`; empty: shipped registry
  std::string decoder;                      ///< `media.decoder`; empty: beside the program
  std::string dual_encoder;                 ///< `models.dual_encoder`; folder of a CLIP-type model
  bool speech = true;                       ///< `models.speech`
  int encoder_threads = 0;                  ///< `models.threads`; 0: number of cores
  int ingest_workers = 2;  ///< `ingest.workers`; documents at once: one long film blocks no page
  int pool_factor = 1;     ///< `index.pool_factor`; of documents ingested from now on
  int compaction_threads = 1;                  ///< `index.compaction_threads`
  int compaction_mib_per_second = 64;          ///< `index.compaction_mib_per_second`; 0: no bound
  int max_pages = 10'000;                      ///< `limits.pages`
  std::int64_t max_upload_bytes = 20LL << 30;  ///< `limits.upload_bytes`
  std::string listen = "127.0.0.1";            ///< `server.listen`
  int port = 7801;                             ///< `server.port`
  int max_connections = 1024;                  ///< `server.connections`
  int max_in_flight = 256;                     ///< `server.in_flight`
  std::string web_dir;                         ///< `server.web_dir`; empty: built in

  /// Key → where its value came from; every key of the schema is present.
  std::map<std::string, ConfigSource> sources;
};

/// One setting of the schema.
struct ConfigKey {
  std::string name;         ///< "server.port"
  std::string environment;  ///< "SIGHTLINE_SERVER_PORT"
  std::string description;
};
/// Every key, in the order in which `sightline config` prints them.
std::span<const ConfigKey> ConfigKeys();

/// Where values may come from.
struct ConfigInputs {
  std::string file;  ///< TOML file; empty: $XDG_CONFIG_HOME/sightline/config.toml when it exists.
  std::vector<std::pair<std::string, std::string>> environment;  ///< All variables of the process.
  std::vector<std::pair<std::string, std::string>> flags;        ///< Key name → value.
};

/// The effective configuration. An unknown key or SIGHTLINE_ variable is `kInvalidArgument` with
/// the nearest known name; a value of the wrong type or range names key, value and source.
base::Result<Config> LoadConfig(const ConfigInputs& inputs);

/// Value of a key as text, as it would stand in the file.
std::string ConfigValue(const Config& config, std::string_view key);

}  // namespace sightline::engine
