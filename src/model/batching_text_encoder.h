// The text encoder that programs use: batches of many callers, and the last queries remembered.
#pragma once

#include <memory>

#include "model/batcher.h"
#include "model/encoder.h"

namespace sightline::model {

/// Wraps `encoder`, which must be thread-safe. One search encodes its words for several routes: the
/// embeddings of the last 64 queries are kept, so that this costs one encoding.
std::unique_ptr<TextEncoder> MakeBatchingTextEncoder(std::unique_ptr<TextEncoder> encoder,
                                                     const BatcherOptions& options);

}  // namespace sightline::model
