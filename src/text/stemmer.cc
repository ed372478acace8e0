#include "text/stemmer.h"

#include <libstemmer.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

namespace sightline::text {
namespace {

constexpr size_t kMaxRememberedBytes = 23;
constexpr size_t kEntryCount = 8192;  // 400 KiB a thread: the common words of any text

/// One word and its stem; a word with the same hash replaces it.
struct Entry {
  uint8_t word_size = 0;
  uint8_t stem_size = 0;
  std::array<char, kMaxRememberedBytes> word;
  std::array<char, kMaxRememberedBytes> stem;
};

}  // namespace

struct EnglishStemmer::State {
  State() : stemmer(sb_stemmer_new("english", "UTF_8")), entries(kEntryCount) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { sb_stemmer_delete(stemmer); }

  std::string_view StemNow(std::string_view word) const {
    if (stemmer == nullptr) return word;
    const auto* symbols = reinterpret_cast<const sb_symbol*>(word.data());
    const sb_symbol* stem = sb_stemmer_stem(stemmer, symbols, static_cast<int>(word.size()));
    if (stem == nullptr) return word;
    return {reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(stemmer))};
  }

  sb_stemmer* stemmer;
  std::vector<Entry> entries;
};

EnglishStemmer::EnglishStemmer() : state_(std::make_unique<State>()) {}
EnglishStemmer::~EnglishStemmer() = default;

std::string_view EnglishStemmer::Stem(std::string_view word) {
  if (word.empty() || word.size() > kMaxRememberedBytes) return state_->StemNow(word);
  Entry& entry = state_->entries[std::hash<std::string_view>{}(word) % kEntryCount];
  if (std::string_view(entry.word.data(), entry.word_size) != word) {
    const std::string_view stem = state_->StemNow(word);
    if (stem.size() > kMaxRememberedBytes) return stem;
    std::memcpy(entry.word.data(), word.data(), word.size());
    std::memcpy(entry.stem.data(), stem.data(), stem.size());
    entry.word_size = static_cast<uint8_t>(word.size());
    entry.stem_size = static_cast<uint8_t>(stem.size());
  }
  return {entry.stem.data(), entry.stem_size};
}

EnglishStemmer& EnglishStemmer::OfThisThread() {
  thread_local EnglishStemmer stemmer;
  return stemmer;
}

}  // namespace sightline::text
