#include "model/concept_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/digest.h"
#include "model/l2_normalize.h"

namespace sightline::model {
namespace {

constexpr std::uint64_t kMaxNamesBytes = 4 << 20;
constexpr std::size_t kMaxNames = 100'000;
constexpr std::size_t kEncodeBatch = 50;
constexpr std::string_view kMagic = "SLCV1\n";

base::Result<std::vector<std::string>> ReadNames(const ConceptTableOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string content,
                             options.files->ReadFile(options.names_file.string(), kMaxNamesBytes));
  std::vector<std::string> names;
  for (std::size_t start = 0; start < content.size();) {
    const std::size_t end = std::min(content.find('\n', start), content.size());
    names.push_back(content.substr(start, end - start));
    start = end + 1;
  }
  if (names.empty() || names.size() > kMaxNames) {
    return base::DataLoss("the file of class names has no or too many lines: " +
                          options.names_file.string());
  }
  return names;
}

std::string CacheKey(const std::vector<std::string>& names, const TextEncoder& text) {
  base::Sha256 digest;
  digest.UpdateField(kMagic);
  digest.UpdateField(text.sentence_space().Id());
  for (const std::string& name : names) digest.UpdateField(name);
  return base::HexEncode(digest.Finish());
}

/// Magic, the SHA-256 of the vectors in hexadecimal, the vectors. Nothing where that does not fit.
std::vector<float> ParseCache(std::string_view content, std::size_t count) {
  const std::size_t header = kMagic.size() + 64;
  if (content.size() != header + count * sizeof(float) || !content.starts_with(kMagic)) return {};
  const std::string_view payload = content.substr(header);
  if (base::Sha256Hex(payload) != content.substr(kMagic.size(), 64)) return {};
  std::vector<float> vectors(count);
  std::memcpy(vectors.data(), payload.data(), payload.size());
  return vectors;
}

std::string FormatCache(std::span<const float> vectors) {
  std::string payload(vectors.size_bytes(), '\0');
  std::memcpy(payload.data(), vectors.data(), payload.size());
  return std::string(kMagic) + base::Sha256Hex(payload) + payload;
}

base::Result<std::vector<float>> EncodeNames(const std::vector<std::string>& names,
                                             TextEncoder& text, const base::CancelToken& cancel) {
  std::vector<TextInput> inputs;
  for (const std::string& name : names) {
    inputs.push_back({name, TextRole::kPassage, text::Language::kEnglish});
  }
  std::vector<float> vectors;
  for (std::size_t start = 0; start < inputs.size(); start += kEncodeBatch) {
    const auto batch =
        std::span(inputs).subspan(start, std::min(kEncodeBatch, inputs.size() - start));
    SIGHTLINE_ASSIGN_OR_RETURN(const auto embeddings, text.Encode(batch, cancel));
    for (const TextEmbedding& embedding : embeddings) {
      vectors.insert(vectors.end(), embedding.sentence.begin(), embedding.sentence.end());
    }
  }
  return vectors;
}

void SubtractMean(std::span<float> vectors, std::size_t dims) {
  const std::size_t rows = vectors.size() / dims;
  for (std::size_t column = 0; column < dims; ++column) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) sum += vectors[row * dims + column];
    const auto mean = static_cast<float>(sum / static_cast<double>(rows));
    for (std::size_t row = 0; row < rows; ++row) vectors[row * dims + column] -= mean;
  }
}

}  // namespace

base::Result<std::unique_ptr<ConceptTable>> ConceptTable::Open(const ConceptTableOptions& options,
                                                               TextEncoder& text,
                                                               const base::CancelToken& cancel) {
  auto table = std::make_unique<ConceptTable>();
  SIGHTLINE_ASSIGN_OR_RETURN(table->names_, ReadNames(options));
  table->dims_ = text.sentence_space().dims;
  const auto dims = static_cast<std::size_t>(table->dims_);
  const std::size_t count = table->names_.size() * dims;
  const std::string path = io::JoinPath(options.cache_folder.string(),
                                        "concepts-" + CacheKey(table->names_, text) + ".bin");
  const auto cached = options.files->ReadFile(path, count * sizeof(float) + 1024);
  if (cached.ok()) table->vectors_ = ParseCache(*cached, count);
  if (table->vectors_.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(table->vectors_, EncodeNames(table->names_, text, cancel));
    if (table->vectors_.size() != count) {
      return base::DataLoss("the text encoder returned vectors of another size than it declares");
    }
    SIGHTLINE_RETURN_IF_ERROR(options.files->CreateDirectories(options.cache_folder.string()));
    SIGHTLINE_RETURN_IF_ERROR(
        options.files->WriteFileAtomically(path, FormatCache(table->vectors_)));
  }
  SubtractMean(table->vectors_, dims);
  return table;
}

std::vector<float> ConceptTable::Combine(std::span<const float> probabilities,
                                         std::size_t count) const {
  const auto dims = static_cast<std::size_t>(dims_);
  std::vector<float> sum(dims, 0.0F);
  for (const std::size_t index : LargestIndices(probabilities, count)) {
    const float weight = std::sqrt(std::max(0.0F, probabilities[index]));
    const float* vector = vectors_.data() + index * dims;
    for (std::size_t i = 0; i < dims; ++i) sum[i] += weight * vector[i];
  }
  L2Normalize(sum);
  return sum;
}

std::vector<std::size_t> LargestIndices(std::span<const float> values, std::size_t count) {
  std::vector<std::size_t> indices(values.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  count = std::min(count, indices.size());
  std::partial_sort(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(count),
                    indices.end(), [&](std::size_t a, std::size_t b) {
                      return values[a] != values[b] ? values[a] > values[b] : a < b;
                    });
  indices.resize(count);
  return indices;
}

}  // namespace sightline::model
