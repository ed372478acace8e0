// Internal to wordpiece_tokenizer: from parsed JSON to a tokenizer, every member checked.
#pragma once

#include <boost/json.hpp>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "text/wordpiece_tokenizer.h"

namespace sightline::text {

/// Used once: `Read` gives the tokenizer or says which member of the file is wrong.
class WordPieceReader {
 public:
  /// `kDataLoss` when the file is no WordPiece tokenizer that this program can follow exactly.
  base::Result<std::unique_ptr<WordPieceTokenizer>> Read(const boost::json::value& root);

 private:
  void ReadNormalizer(const boost::json::object& normalizer);
  base::Status ReadModel(const boost::json::object& model);
  base::Status FindSpecial(std::string_view piece, int32_t* id) const;

  std::unique_ptr<WordPieceTokenizer> tokenizer_;
};

}  // namespace sightline::text
