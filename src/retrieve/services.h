// What a search works with.
#pragma once

#include "media/decoder.h"
#include "model/models.h"
#include "store/catalog.h"
#include "store/lexical_index.h"
#include "store/vector_store.h"

namespace sightline::retrieve {

/// Not owned; every one must live longer than the searcher.
struct SearchServices {
  store::Catalog& catalog;
  store::VectorStore& vectors;
  store::LexicalIndex& lexical;
  media::Decoder& decoder;
  model::Models& models;
};

}  // namespace sightline::retrieve
