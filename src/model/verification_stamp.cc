#include "model/verification_stamp.h"

#include <charconv>
#include <chrono>
#include <utility>

namespace sightline::model {
namespace {

std::int64_t Nanoseconds(const io::FileInfo& info) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(info.modified.time_since_epoch())
      .count();
}

/// The next word of `line`, which loses it.
std::string_view TakeWord(std::string_view* line) {
  const std::size_t end = std::min(line->find(' '), line->size());
  const std::string_view word = line->substr(0, end);
  line->remove_prefix(std::min(end + 1, line->size()));
  return word;
}

template <typename T>
bool ParseNumber(std::string_view text, T* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

VerificationStamp VerificationStamp::Parse(std::string_view content) {
  VerificationStamp stamp;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    std::string_view text = content.substr(0, end);
    content.remove_prefix(std::min(end + 1, content.size()));
    Line line;
    line.sha256 = TakeWord(&text);
    if (!ParseNumber(TakeWord(&text), &line.size_bytes)) continue;
    if (!ParseNumber(TakeWord(&text), &line.modified_ns)) continue;
    if (!text.empty()) stamp.lines_[std::string(text)] = std::move(line);
  }
  return stamp;
}

std::string VerificationStamp::Format() const {
  std::string content;
  for (const auto& [name, line] : lines_) {
    content += line.sha256 + " " + std::to_string(line.size_bytes) + " " +
               std::to_string(line.modified_ns) + " " + name + "\n";
  }
  return content;
}

bool VerificationStamp::Covers(const std::string& name, const std::string& sha256,
                               const io::FileInfo& info) const {
  const auto found = lines_.find(name);
  return found != lines_.end() && found->second.sha256 == sha256 &&
         found->second.size_bytes == info.size_bytes &&
         found->second.modified_ns == Nanoseconds(info);
}

void VerificationStamp::Add(const std::string& name, const std::string& sha256,
                            const io::FileInfo& info) {
  lines_[name] = {sha256, info.size_bytes, Nanoseconds(info)};
}

}  // namespace sightline::model
