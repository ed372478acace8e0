// Indexing a data set through the product's own pipeline.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "eval/data_set.h"
#include "ingest/pipeline.h"
#include "ingest/services.h"

namespace sightline::eval {

/// What became of a set's documents.
struct Corpus {
  std::map<std::string, std::string> key_by_document_id;
  std::vector<std::string> failures;  ///< "key: reason".
  double seconds = 0;
};

/// Keeps what `IndexDataSet` returned beside its data folder, so that questions can be asked again
/// without indexing. Replaces the file `path` whole.
base::Status SaveCorpus(const Corpus& corpus, const std::string& path);
/// `kNotFound` when there is no such file, `kDataLoss` when it is malformed.
base::Result<Corpus> LoadCorpus(const std::string& path);

/// How a set is indexed.
struct CorpusOptions {
  int threads = 1;      ///< Encode threads.
  int pool_factor = 1;  ///< Of token vectors, 1 … 4.
};

/// Called after each document: how many of how many are done.
using CorpusProgress = std::function<void(std::size_t done, std::size_t total)>;

/// Adds every document of the set to collection "default". Files go through the pipeline with
/// their masks applied; prepared passages are encoded as they stand. A file that cannot be read is
/// a failure in the result; a failure of the store ends the call.
base::Result<Corpus> IndexDataSet(const DataSet& set, const ingest::IngestServices& services,
                                  const CorpusOptions& options, const CorpusProgress& progress,
                                  const base::CancelToken& cancel);

/// Removes what the masks cover from a page: lines and blocks whose middle is inside, and pixels.
void ApplyMasks(const std::vector<Mask>& masks, media::DecodedPage& page);

}  // namespace sightline::eval
