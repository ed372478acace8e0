#include "answer/extractive_generator.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "text/analyzer.h"

namespace sightline::answer {
namespace {

using base::Result;

constexpr std::size_t kMaxSentences = 3;
/// A sentence that shares less than this part of what the best one shares is left out.
constexpr double kWorthShare = 0.5;

struct Sentence {
  int number = 0;  ///< Of the evidence.
  std::size_t order = 0;
  std::string_view text;
  double worth = 0;
};

std::size_t SentenceEnd(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '\n') return i + 1;
    const bool stops = text[i] == '.' || text[i] == '!' || text[i] == '?';
    if (stops && (i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\n')) return i + 1;
    for (const std::string_view stop : {"。", "！", "？"}) {
      if (text.substr(i).starts_with(stop)) return i + stop.size();
    }
  }
  return text.size();
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// Share of the question's terms that the sentence has; evidence further down counts a little less.
double Worth(std::string_view sentence, const std::set<std::string>& wanted, int number) {
  constexpr double kRankDiscount = 0.05;
  std::set<std::string> found;
  for (text::Token& token : text::Analyze(sentence)) {
    if (wanted.contains(token.term)) found.insert(std::move(token.term));
  }
  const double share = static_cast<double>(found.size()) / static_cast<double>(wanted.size());
  return share / (1 + kRankDiscount * (number - 1));
}

}  // namespace

Result<Answer> ExtractiveGenerator::Generate(const std::string& question,
                                             std::span<const EvidencePassage> evidence,
                                             const base::CancelToken& cancel) {
  std::set<std::string> wanted;
  for (text::Token& token : text::AnalyzeQuery(question)) wanted.insert(std::move(token.term));
  Answer answer;
  if (wanted.empty()) return answer;
  std::vector<Sentence> sentences;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    const std::string_view text = evidence[i].text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = SentenceEnd(text, begin);
      const std::string_view sentence = Trimmed(text.substr(begin, end - begin));
      const int number = static_cast<int>(i + 1);
      const double worth = sentence.empty() ? 0 : Worth(sentence, wanted, number);
      if (worth > 0) sentences.push_back({number, sentences.size(), sentence, worth});
      begin = end;
    }
  }
  std::stable_sort(sentences.begin(), sentences.end(),
                   [](const Sentence& a, const Sentence& b) { return a.worth > b.worth; });
  if (sentences.size() > kMaxSentences) sentences.resize(kMaxSentences);
  std::erase_if(sentences, [&](const Sentence& sentence) {
    return sentence.worth < kWorthShare * sentences.front().worth;
  });
  std::sort(sentences.begin(), sentences.end(),
            [](const Sentence& a, const Sentence& b) { return a.order < b.order; });
  for (const Sentence& sentence : sentences) {
    if (!answer.text.empty()) answer.text += ' ';
    answer.text += std::string(sentence.text) + " [" + std::to_string(sentence.number) + "]";
    if (std::find(answer.citations.begin(), answer.citations.end(), sentence.number) ==
        answer.citations.end()) {
      answer.citations.push_back(sentence.number);
    }
  }
  return answer;
}

}  // namespace sightline::answer
