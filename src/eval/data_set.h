// Data sets: what is indexed, what is asked, what is right.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "media/geometry.h"

namespace sightline::eval {

/// Something on a page that must not be indexed, or the task is string search.
struct Mask {
  int page = 0;
  media::Box box;  ///< Points; empty: the whole page.
};

/// A document of a set: a file, or passages that are units as they stand.
struct SetDocument {
  std::string key;   ///< File below the set's folder, or the name of a manual page.
  std::string path;  ///< Empty for prepared passages.
  std::vector<std::string> passages;
  std::vector<Mask> masks;
};

/// A place that answers a question; `page` 0 and `start_ms` -1 mean anywhere in the document.
struct Target {
  std::string document_key;
  int page = 0;
  std::int64_t start_ms = -1;
  std::int64_t end_ms = -1;
};

/// A question with every place that answers it.
struct Question {
  std::string text;
  std::string language;  ///< "zh", "en".
  std::string kind;      ///< "figure", "table", "tux", "coco", "passage", …
  std::vector<Target> relevant;
};

/// A loaded set.
struct DataSet {
  std::string name;
  std::vector<SetDocument> documents;
  std::vector<Question> questions;  ///< Those with an answer among the documents.
  std::size_t unanswerable = 0;     ///< Questions whose documents are not on this machine.
};

/// Names that `LoadDataSet` knows, in the order in which they are reported.
const std::vector<std::string>& DataSetNames();

/// Reads a set from the folder `root` (its README describes the files). `kNotFound` with the path
/// when the data is not on this machine; `kDataLoss` with file and line when it is malformed.
base::Result<DataSet> LoadDataSet(std::string_view name, const std::string& root);

}  // namespace sightline::eval
