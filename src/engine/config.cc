#include "engine/config.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <variant>

#include "base/nearest_name.h"

namespace sightline::engine {
namespace {

using base::InvalidArgument;
using base::Result;
using base::Status;

struct IntRange {
  std::int64_t min;
  std::int64_t max;
};

/// How a key is stored: exactly one member pointer is set.
struct Field {
  ConfigKey key;
  std::string Config::*text = nullptr;
  bool Config::*flag = nullptr;
  int Config::*number = nullptr;
  std::int64_t Config::*big_number = nullptr;
  IntRange range{0, 0};
};

const std::vector<Field>& Fields() {
  static const std::vector<Field> fields = {
      {.key = {"data.dir", "SIGHTLINE_DATA", "folder of catalog, blobs and segments"},
       .text = &Config::data_dir},
      {.key = {"models.cache_dir", "SIGHTLINE_CACHE", "folder of runtimes and models"},
       .text = &Config::cache_dir},
      {.key = {"models.registry", "SIGHTLINE_REGISTRY", "model registry file"},
       .text = &Config::registry},
      {.key = {"models.dual_encoder", "SIGHTLINE_DUAL_ENCODER", "folder of a CLIP-type model"},
       .text = &Config::dual_encoder},
      {.key = {"models.speech", "SIGHTLINE_SPEECH", "recognise speech (true or false)"},
       .flag = &Config::speech},
      {.key = {"models.threads", "SIGHTLINE_THREADS", "encoder threads; 0: number of cores"},
       .number = &Config::encoder_threads,
       .range = {0, 1024}},
      {.key = {"media.decoder", "SIGHTLINE_DECODER", "path of sightline-decode"},
       .text = &Config::decoder},
      {.key = {"ingest.workers", "SIGHTLINE_INGEST_WORKERS", "documents ingested at once"},
       .number = &Config::ingest_workers,
       .range = {1, 64}},
      {.key = {"index.pool_factor", "SIGHTLINE_INDEX_POOL_FACTOR",
               "token vectors pooled into one, 1 (none) to 4; for documents added from then on"},
       .number = &Config::pool_factor,
       .range = {1, 4}},
      {.key = {"index.compaction_threads", "SIGHTLINE_INDEX_COMPACTION_THREADS",
               "threads that make codes while segments are merged in the background"},
       .number = &Config::compaction_threads,
       .range = {1, 1024}},
      {.key = {"index.compaction_mib_per_second", "SIGHTLINE_INDEX_COMPACTION_MIB_PER_SECOND",
               "most MiB a second that merging segments writes; 0: no bound"},
       .number = &Config::compaction_mib_per_second,
       .range = {0, 1'000'000}},
      {.key = {"limits.pages", "SIGHTLINE_LIMITS_PAGES", "most pages of a document"},
       .number = &Config::max_pages,
       .range = {1, 1'000'000}},
      {.key = {"limits.upload_bytes", "SIGHTLINE_LIMITS_UPLOAD_BYTES", "most bytes of a file"},
       .big_number = &Config::max_upload_bytes,
       .range = {1, std::int64_t{1} << 50}},
      {.key = {"server.listen", "SIGHTLINE_LISTEN", "address to listen on"},
       .text = &Config::listen},
      {.key = {"server.port", "SIGHTLINE_PORT", "port to listen on; 0: any free one"},
       .number = &Config::port,
       .range = {0, 65535}},
      {.key = {"server.connections", "SIGHTLINE_CONNECTIONS", "most open connections"},
       .number = &Config::max_connections,
       .range = {1, 65536}},
      {.key = {"server.in_flight", "SIGHTLINE_IN_FLIGHT", "most requests worked on at once"},
       .number = &Config::max_in_flight,
       .range = {1, 65536}},
      {.key = {"server.web_dir", "SIGHTLINE_WEB_DIR", "folder of the web page; empty: built in"},
       .text = &Config::web_dir},
  };
  return fields;
}

/// Variables with our prefix that are not settings of the program: some are of the tools and tests
/// around it, in whose environment it also runs.
constexpr std::array<std::string_view, 9> kOtherVariables = {
    "SIGHTLINE_FORCE_ISA", "SIGHTLINE_DATA_SETS", "SIGHTLINE_CONFIG",
    "SIGHTLINE_SAMPLES",   "SIGHTLINE_BIN",       "SIGHTLINE_APT_SOURCE",
    "SIGHTLINE_CHROMIUM",  "SIGHTLINE_KEEP",      "SIGHTLINE_URL"};

const Field* FindField(std::string_view name) {
  for (const Field& field : Fields()) {
    if (field.key.name == name) return &field;
  }
  return nullptr;
}

std::vector<std::string> KeyNames() {
  std::vector<std::string> names;
  for (const Field& field : Fields()) names.push_back(field.key.name);
  return names;
}

std::string Suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::string suggestion = base::DidYouMean(name, known);
  return suggestion.empty() ? "; `sightline config` lists all" : suggestion;
}

Result<std::int64_t> ParseNumber(std::string_view value) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) {
    return InvalidArgument("not a whole number");
  }
  return number;
}

Status AssignNumber(const Field& field, std::string_view value, Config& config) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t number, ParseNumber(value));
  if (number < field.range.min || number > field.range.max) {
    return InvalidArgument("must be from " + std::to_string(field.range.min) + " to " +
                           std::to_string(field.range.max));
  }
  if (field.number != nullptr) {
    config.*field.number = static_cast<int>(number);
  } else {
    config.*field.big_number = number;
  }
  return base::OkStatus();
}

Status AssignFlag(const Field& field, std::string_view value, Config& config) {
  const bool yes = value == "true" || value == "1" || value == "yes";
  const bool no = value == "false" || value == "0" || value == "no";
  if (!yes && !no) return InvalidArgument("must be true or false");
  config.*field.flag = yes;
  return base::OkStatus();
}

Status Assign(const Field& field, std::string_view value, ConfigSource source,
              const std::string& where, Config& config) {
  Status status;
  if (field.text != nullptr) {
    config.*field.text = std::string(value);
  } else if (field.flag != nullptr) {
    status = AssignFlag(field, value, config);
  } else {
    status = AssignNumber(field, value, config);
  }
  if (!status.ok()) {
    return InvalidArgument(field.key.name + " " + status.message() + ": '" + std::string(value) +
                           "' in " + where);
  }
  config.sources[field.key.name] = source;
  return base::OkStatus();
}

std::optional<std::string> ScalarText(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
  return std::nullopt;
}

Status ApplyTable(const toml::table& table, const std::string& prefix, const std::string& path,
                  Config& config) {
  for (const auto& [key, node] : table) {
    const std::string name =
        prefix.empty() ? std::string(key.str()) : prefix + "." + std::string(key.str());
    const std::string where = path + " line " + std::to_string(node.source().begin.line);
    if (const toml::table* inner = node.as_table(); inner != nullptr && prefix.empty()) {
      SIGHTLINE_RETURN_IF_ERROR(ApplyTable(*inner, name, path, config));
      continue;
    }
    const Field* field = FindField(name);
    if (field == nullptr) {
      return InvalidArgument("unknown setting '" + name + "' in " + where +
                             Suggestion(name, KeyNames()));
    }
    const auto value = ScalarText(node);
    if (!value) {
      return InvalidArgument("setting '" + name + "' must be text, a number or true/false in " +
                             where);
    }
    SIGHTLINE_RETURN_IF_ERROR(Assign(*field, *value, ConfigSource::kFile, where, config));
  }
  return base::OkStatus();
}

Status ApplyFile(const std::string& path, Config& config) {
  toml::table table;
  try {
    table = toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    return InvalidArgument("cannot read the configuration: " + std::string(error.description()) +
                           " in " + path + " line " + std::to_string(error.source().begin.line));
  }
  return ApplyTable(table, "", path, config);
}

Status ApplyEnvironment(const ConfigInputs& inputs, Config& config) {
  std::vector<std::string> known;
  for (const Field& field : Fields()) known.push_back(field.key.environment);
  for (const auto& [name, value] : inputs.environment) {
    if (!name.starts_with("SIGHTLINE_")) continue;
    if (std::find(kOtherVariables.begin(), kOtherVariables.end(), name) != kOtherVariables.end())
      continue;
    const auto field = std::find_if(Fields().begin(), Fields().end(),
                                    [&](const Field& f) { return f.key.environment == name; });
    if (field == Fields().end()) {
      return InvalidArgument("unknown environment variable " + name + Suggestion(name, known));
    }
    SIGHTLINE_RETURN_IF_ERROR(Assign(*field, value, ConfigSource::kEnvironment, name, config));
  }
  return base::OkStatus();
}

std::string Lookup(const ConfigInputs& inputs, std::string_view name) {
  for (const auto& [key, value] : inputs.environment) {
    if (key == name) return value;
  }
  return "";
}

/// The file to read: the one asked for, else the user's own when there is one.
std::string FileToRead(const ConfigInputs& inputs) {
  if (!inputs.file.empty()) return inputs.file;
  std::string config_home = Lookup(inputs, "XDG_CONFIG_HOME");
  if (config_home.empty()) {
    const std::string home = Lookup(inputs, "HOME");
    if (home.empty()) return "";
    config_home = home + "/.config";
  }
  const std::string path = config_home + "/sightline/config.toml";
  std::error_code error;
  return std::filesystem::exists(path, error) ? path : "";
}

}  // namespace

const char* ConfigSourceName(ConfigSource source) {
  switch (source) {
    case ConfigSource::kDefault:
      return "default";
    case ConfigSource::kFile:
      return "file";
    case ConfigSource::kEnvironment:
      return "environment";
    case ConfigSource::kFlag:
      return "flag";
  }
  return "unknown";
}

std::span<const ConfigKey> ConfigKeys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> list;
    for (const Field& field : Fields()) list.push_back(field.key);
    return list;
  }();
  return keys;
}

Result<Config> LoadConfig(const ConfigInputs& inputs) {
  Config config;
  for (const Field& field : Fields()) config.sources[field.key.name] = ConfigSource::kDefault;
  if (const std::string path = FileToRead(inputs); !path.empty()) {
    SIGHTLINE_RETURN_IF_ERROR(ApplyFile(path, config));
  }
  SIGHTLINE_RETURN_IF_ERROR(ApplyEnvironment(inputs, config));
  for (const auto& [name, value] : inputs.flags) {
    const Field* field = FindField(name);
    if (field == nullptr) {
      return InvalidArgument("unknown setting '" + name + "'" + Suggestion(name, KeyNames()));
    }
    SIGHTLINE_RETURN_IF_ERROR(
        Assign(*field, value, ConfigSource::kFlag, "the command line", config));
  }
  return config;
}

std::string ConfigValue(const Config& config, std::string_view key) {
  const Field* field = FindField(key);
  if (field == nullptr) return "";
  if (field->text != nullptr) return config.*field->text;
  if (field->flag != nullptr) return config.*field->flag ? "true" : "false";
  if (field->number != nullptr) return std::to_string(config.*field->number);
  return std::to_string(config.*field->big_number);
}

}  // namespace sightline::engine
