#include "model/hub_listing.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <utility>

namespace sightline::model {
namespace {

constexpr std::size_t kMaxSiblings = 100'000;
// As in the registry that a pull writes; sums of all files stay in their type.
constexpr std::int64_t kMaxFileBytes = std::int64_t{1} << 36;
constexpr std::array<std::string_view, 9> kSmallFiles = {"config.json",
                                                         "preprocessor_config.json",
                                                         "tokenizer.json",
                                                         "vocab.json",
                                                         "merges.txt",
                                                         "vocab.txt",
                                                         "tokenizer_config.json",
                                                         "LICENSE",
                                                         "special_tokens_map.json"};
/// Other files of the same folder are smaller numeric forms of the same towers.
constexpr std::array<std::string_view, 6> kOnnxFiles = {"model.onnx",      "vision_model.onnx",
                                                        "text_model.onnx", "vision.onnx",
                                                        "text.onnx",       "model.onnx_data"};

std::string Text(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains(boost::json::string_view(key.data(), key.size()));
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

bool IsOnnx(std::string_view name) {
  if (name.starts_with("onnx/")) name.remove_prefix(5);
  return std::ranges::find(kOnnxFiles, name) != kOnnxFiles.end();
}

bool IsWanted(std::string_view name) {
  return IsOnnx(name) || std::ranges::find(kSmallFiles, name) != kSmallFiles.end();
}

bool IsCommit(std::string_view text) {
  return text.size() >= 7 && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

/// Name, size and digest of one entry; nothing where it is not read.
base::Result<HubFile> ReadFile(const boost::json::object& sibling) {
  HubFile file;
  file.name = Text(sibling, "rfilename");
  const auto* size = sibling.if_contains("size");
  const auto* lfs = sibling.if_contains("lfs");
  if (lfs != nullptr && lfs->is_object()) {
    file.sha256 = Text(lfs->get_object(), "sha256");
    if (file.sha256.empty()) file.sha256 = Text(lfs->get_object(), "oid");
  }
  if (size == nullptr || !size->is_int64() || size->get_int64() < 0) {
    return base::DataLoss("the hub gives no size of a file: " + file.name);
  }
  if (size->get_int64() > kMaxFileBytes) {
    return base::DataLoss("the hub gives a file more bytes than a model's file may have: " +
                          file.name);
  }
  file.size_bytes = static_cast<std::uint64_t>(size->get_int64());
  return file;
}

}  // namespace

base::Result<HubListing> ParseHubListing(std::string_view json) {
  boost::system::error_code error;
  const boost::json::value root =
      boost::json::parse(boost::json::string_view(json.data(), json.size()), error);
  if (error || !root.is_object()) return base::DataLoss("the hub's answer is not a JSON object");
  const boost::json::object& object = root.get_object();
  HubListing listing;
  listing.commit = Text(object, "sha");
  if (!IsCommit(listing.commit)) return base::DataLoss("the hub's answer names no commit");
  if (const auto* card = object.if_contains("cardData"); card != nullptr && card->is_object()) {
    listing.licence = Text(card->get_object(), "license");
  }
  const auto* siblings = object.if_contains("siblings");
  if (siblings == nullptr || !siblings->is_array() || siblings->get_array().size() > kMaxSiblings) {
    return base::DataLoss("the hub's answer lists no files, or too many");
  }
  bool has_onnx = false;
  for (const auto& sibling : siblings->get_array()) {
    if (!sibling.is_object()) return base::DataLoss("the hub's answer lists something odd");
    // Only names of the lists above are taken, so none can leave the folder.
    const std::string name = Text(sibling.get_object(), "rfilename");
    if (!IsWanted(name)) continue;
    if (std::ranges::find(listing.files, name, &HubFile::name) != listing.files.end()) {
      return base::DataLoss("the hub's answer lists a file twice: " + name);
    }
    SIGHTLINE_ASSIGN_OR_RETURN(HubFile file, ReadFile(sibling.get_object()));
    has_onnx = has_onnx || IsOnnx(file.name);
    listing.files.push_back(std::move(file));
  }
  if (!has_onnx) {
    return base::NotFound(
        "the model has no ONNX files on the hub; export it (for example with "
        "`optimum-cli export onnx`) and name its folder instead");
  }
  return listing;
}

}  // namespace sightline::model
