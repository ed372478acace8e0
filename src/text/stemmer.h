// English stems (Porter 2, as libstemmer has it), remembered for the words just seen.
#pragma once

#include <memory>
#include <string_view>

namespace sightline::text {

/// Not thread-safe; use `ThreadStemmer`.
class EnglishStemmer {
 public:
  EnglishStemmer();
  ~EnglishStemmer();
  EnglishStemmer(const EnglishStemmer&) = delete;
  EnglishStemmer& operator=(const EnglishStemmer&) = delete;

  /// The stem of a lower-case ASCII word. The view is valid until the next call. A word that cannot
  /// be stemmed (no memory, no algorithm) is its own stem.
  std::string_view Stem(std::string_view word);

  /// This thread's stemmer.
  static EnglishStemmer& OfThisThread();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sightline::text
