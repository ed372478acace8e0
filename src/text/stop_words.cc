#include "text/stop_words.h"

#include <algorithm>
#include <array>

namespace sightline::text {
namespace {

// Both lists in byte order, for binary search; a test checks the order.
constexpr std::array<std::string_view, 61> kEnglish = {
    "a",    "an",   "and",   "are",   "as",   "at",    "be",    "by",    "can",  "could", "did",
    "do",   "does", "for",   "from",  "had",  "has",   "have",  "how",   "i",    "if",    "in",
    "into", "is",   "it",    "its",   "me",   "my",    "of",    "on",    "or",   "our",   "please",
    "so",   "that", "the",   "their", "them", "then",  "there", "these", "they", "this",  "to",
    "was",  "we",   "were",  "what",  "when", "where", "which", "who",   "whom", "whose", "why",
    "will", "with", "would", "you",   "your", "yours"};

constexpr std::array<std::string_view, 41> kChinese = {
    "一个", "与",   "个", "为",   "为什么", "么", "之", "也", "了",   "什么", "从",
    "他",   "以",   "们", "你",   "其",     "到", "及", "吗", "呢",   "和",   "哪",
    "哪个", "哪些", "在", "如何", "对",     "将", "就", "并", "怎么", "怎样", "我",
    "或",   "把",   "是", "有",   "由",     "的", "等", "被"};

template <size_t kSize>
bool Has(const std::array<std::string_view, kSize>& sorted, std::string_view word) {
  return std::binary_search(sorted.begin(), sorted.end(), word);
}

}  // namespace

bool IsStopWord(std::string_view word) { return Has(kEnglish, word) || Has(kChinese, word); }

}  // namespace sightline::text
