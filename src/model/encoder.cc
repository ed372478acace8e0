#include "model/encoder.h"

#include <string>

#include "base/digest.h"

namespace sightline::model {

std::string EmbeddingSpace::Id() const {
  base::Sha256 digest;
  digest.UpdateField("embedding space 1");
  digest.UpdateField(model);
  digest.UpdateField(weights_sha256);
  digest.UpdateField(tokenizer_sha256);
  digest.UpdateField(std::to_string(preprocessing_version));
  digest.UpdateField(std::to_string(dims));
  digest.UpdateField(multiplicity == Multiplicity::kMulti ? "multi" : "single");
  return base::HexEncode(digest.Finish());
}

}  // namespace sightline::model
