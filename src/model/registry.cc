#include "model/registry.h"

#include <toml++/toml.h>
#include <algorithm>

#include <filesystem>
#include <sstream>
#include <utility>

#include "base/digest.h"

namespace sightline::model {
namespace {

constexpr std::size_t kMaxModels = 1000;
constexpr std::size_t kMaxFiles = 1000;
constexpr std::int64_t kMaxFileBytes = std::int64_t{1} << 36;
constexpr int kMaxDims = 4096;

bool IsName(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, allowed) &&
         name.front() != '.' && name.front() != '-';
}

bool IsDigest(std::string_view digest) {
  return digest.size() == 64 && std::ranges::all_of(digest, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

/// A relative path that stays inside its folder.
bool IsSafePath(std::string_view text) {
  const std::filesystem::path path(text);
  if (text.empty() || path.is_absolute() || text.find('\0') != std::string_view::npos) return false;
  return std::ranges::none_of(path, [](const auto& part) { return part == ".."; });
}

std::string Text(const toml::table& table, std::string_view key) {
  return table[key].value_or(std::string());
}

base::Status Broken(const std::string& model, std::string_view what) {
  return base::DataLoss("the model registry is damaged: " + std::string(what) + ": " + model);
}

base::Result<ModelFile> ReadFileEntry(const toml::table& table, const std::string& model) {
  ModelFile file{Text(table, "name"), Text(table, "sha256"), 0};
  const std::int64_t size = table["size_bytes"].value_or(std::int64_t{-1});
  if (!IsSafePath(file.name)) return Broken(model, "a file name is missing or leaves its folder");
  if (!IsDigest(file.sha256)) return Broken(model, "a SHA-256 is missing or malformed");
  if (size < 0 || size > kMaxFileBytes) return Broken(model, "a size is missing or out of range");
  file.size_bytes = static_cast<std::uint64_t>(size);
  return file;
}

base::Result<ModelEntry> ReadEntry(const toml::table& table) {
  ModelEntry entry;
  entry.name = Text(table, "name");
  entry.kind = Text(table, "kind");
  entry.licence = Text(table, "licence");
  entry.origin = Text(table, "origin");
  entry.variant = Text(table, "variant");
  entry.dims = table["dims"].value_or(0);
  entry.is_default = table["default"].value_or(false);
  if (!IsName(entry.name)) return Broken(entry.name, "a name is missing or malformed");
  if (entry.dims < 0 || entry.dims > kMaxDims) return Broken(entry.name, "dims are out of range");
  if (const toml::array* packages = table["package"].as_array()) {
    for (const toml::node& node : *packages) {
      if (const toml::table* package = node.as_table()) {
        entry.sources.push_back(Text(*package, "source"));
      }
    }
  }
  const toml::array* files = table["file"].as_array();
  if (files == nullptr || files->empty() || files->size() > kMaxFiles) {
    return Broken(entry.name, "a model has no files or too many");
  }
  for (const toml::node& node : *files) {
    const toml::table* file_table = node.as_table();
    if (file_table == nullptr) return Broken(entry.name, "a file is not a table");
    SIGHTLINE_ASSIGN_OR_RETURN(ModelFile file, ReadFileEntry(*file_table, entry.name));
    entry.files.push_back(std::move(file));
  }
  return entry;
}

base::Result<std::vector<ModelEntry>> ReadDocument(const toml::table& document) {
  if (document["schema"].value_or(std::int64_t{0}) != 1) {
    return base::DataLoss("the model registry is of another version than 1");
  }
  std::vector<ModelEntry> entries;
  const toml::array* models = document["model"].as_array();
  if (models == nullptr) return entries;
  if (models->size() > kMaxModels) return base::DataLoss("the model registry is too long");
  for (const toml::node& node : *models) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return base::DataLoss("the model registry is damaged: not a table");
    SIGHTLINE_ASSIGN_OR_RETURN(ModelEntry entry, ReadEntry(*table));
    const auto same = [&](const ModelEntry& other) { return other.name == entry.name; };
    if (std::ranges::any_of(entries, same)) return Broken(entry.name, "two models have one name");
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

const ModelFile* ModelEntry::FindFile(std::string_view file_name) const {
  const auto found = std::ranges::find(files, file_name, &ModelFile::name);
  return found == files.end() ? nullptr : &*found;
}

std::string ModelEntry::FilesDigest(std::string_view except) const {
  base::Sha256 digest;
  for (const ModelFile& file : files) {
    if (!except.empty() && file.name.starts_with(except)) continue;
    digest.UpdateField(file.name);
    digest.UpdateField(file.sha256);
  }
  return base::HexEncode(digest.Finish());
}

base::Result<std::vector<ModelEntry>> ParseRegistry(std::string_view toml) {
  try {
    return ReadDocument(toml::parse(toml));
  } catch (const toml::parse_error& error) {
    return base::DataLoss("the model registry is not TOML: " + std::string(error.description()) +
                          ", line " + std::to_string(error.source().begin.line));
  }
}

std::string FormatRegistry(const ModelEntry& entry) {
  toml::array packages;
  for (const std::string& source : entry.sources) {
    packages.push_back(toml::table{{"source", source}});
  }
  toml::array files;
  for (const ModelFile& file : entry.files) {
    files.push_back(toml::table{{"name", file.name},
                                {"sha256", file.sha256},
                                {"size_bytes", static_cast<std::int64_t>(file.size_bytes)}});
  }
  toml::table model{{"name", entry.name},       {"kind", entry.kind},
                    {"licence", entry.licence}, {"origin", entry.origin},
                    {"variant", entry.variant}, {"dims", entry.dims},
                    {"package", packages},      {"file", files}};
  std::ostringstream out;
  out << toml::table{{"schema", 1}, {"model", toml::array{std::move(model)}}} << "\n";
  return out.str();
}

}  // namespace sightline::model
