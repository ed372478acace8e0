// Words that say nothing about what a question is after. They are indexed all the same.
#pragma once

#include <string_view>

namespace sightline::text {

/// Whether a folded, unstemmed word (English, or simplified Chinese) is left out of questions.
bool IsStopWord(std::string_view word);

}  // namespace sightline::text
