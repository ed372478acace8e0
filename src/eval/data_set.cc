#include "eval/data_set.h"

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>

#include "eval/json_lines.h"

namespace sightline::eval {
namespace {

using base::DataLoss;
using base::OkStatus;
using base::Result;
using base::Status;
using boost::json::object;

Result<std::vector<double>> Numbers(const boost::json::value* value, std::size_t count) {
  if (value == nullptr || !value->is_array() || value->get_array().size() != count) {
    return DataLoss("expected an array of " + std::to_string(count) + " numbers");
  }
  std::vector<double> numbers;
  for (const boost::json::value& item : value->get_array()) {
    boost::system::error_code error;
    numbers.push_back(item.to_number<double>(error));
    if (error) return DataLoss("expected numbers");
  }
  return numbers;
}

/// The set's document of this key, or null.
SetDocument* FindDocument(DataSet& set, const std::string& key) {
  const auto known = std::find_if(set.documents.begin(), set.documents.end(),
                                  [&](const SetDocument& d) { return d.key == key; });
  return known == set.documents.end() ? nullptr : &*known;
}

/// Labels may name documents that were not handed on: their questions have no answer here.
void DropUnanswerable(DataSet& set) {
  std::set<std::string> keys;
  for (const SetDocument& document : set.documents) keys.insert(document.key);
  set.unanswerable = std::erase_if(set.questions, [&](Question& question) {
    std::erase_if(question.relevant,
                  [&](const Target& target) { return !keys.contains(target.document_key); });
    return question.relevant.empty();
  });
}

/// Every file with one of the extensions below `folder`, in order of name: distractors count.
Status AddFolder(DataSet& set, const std::string& root, const std::string& folder,
                 const std::set<std::string>& extensions) {
  std::error_code error;
  std::vector<std::string> files;
  const std::filesystem::path base(root);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(base / folder, error)) {
    if (entry.is_regular_file() && extensions.contains(entry.path().extension().string())) {
      files.push_back(entry.path().lexically_relative(base).string());
    }
  }
  if (error) return base::NotFound("no data set here: " + root + "/" + folder);
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    set.documents.push_back({file, (base / file).string(), {}, {}});
  }
  return OkStatus();
}

Status LoadManPages(const std::string& path, DataSet& set, const std::string& language,
                    bool with_questions) {
  return ForEachJsonLine(path, [&](const object& line) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string page, TextMember(line, "page"));
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string query, TextMember(line, "query"));
    const boost::json::value* passages = line.if_contains("passages");
    if (passages == nullptr || !passages->is_array()) return DataLoss("passages missing");
    SetDocument document{page, "", {}, {}};
    for (const boost::json::value& passage : passages->get_array()) {
      if (!passage.is_string()) return DataLoss("a passage must be text");
      document.passages.emplace_back(passage.get_string());
    }
    set.documents.push_back(std::move(document));
    if (with_questions) set.questions.push_back({query, language, "passage", {{page, 0, -1, -1}}});
    return OkStatus();
  });
}

Status LoadManPagesCross(const std::string& root, DataSet& set) {
  SIGHTLINE_RETURN_IF_ERROR(
      LoadManPages(root + "/text/manpages.en.jsonl", set, "en", /*with_questions=*/false));
  return ForEachJsonLine(root + "/text/manpages.cross.jsonl", [&](const object& line) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string query, TextMember(line, "query"));
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string page, TextMember(line, "page_en"));
    set.questions.push_back({query, "zh", "cross", {{page, 0, -1, -1}}});
    return OkStatus();
  });
}

Status LoadDocuments(const std::string& root, DataSet& set) {
  for (const char* folder : {"docs/en", "docs/zh"}) {
    SIGHTLINE_RETURN_IF_ERROR(AddFolder(set, root, folder, {".pdf"}));
  }
  return ForEachJsonLine(
      root + "/docs/labels_captions.dev.jsonl", [&](const object& line) -> Status {
        SIGHTLINE_ASSIGN_OR_RETURN(const std::string query, TextMember(line, "query"));
        SIGHTLINE_ASSIGN_OR_RETURN(const std::string language, TextMember(line, "lang"));
        SIGHTLINE_ASSIGN_OR_RETURN(const std::string file, TextMember(line, "file"));
        SIGHTLINE_ASSIGN_OR_RETURN(const std::string kind, TextMember(line, "kind"));
        SIGHTLINE_ASSIGN_OR_RETURN(const double page, NumberMember(line, "page"));
        SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<double> box,
                                   Numbers(line.if_contains("caption_bbox"), 4));
        const media::Box caption{box[0], box[1], box[2] - box[0], box[3] - box[1]};
        if (SetDocument* document = FindDocument(set, file); document != nullptr) {
          document->masks.push_back({static_cast<int>(page), caption});
        }
        set.questions.push_back({query, language, kind, {{file, static_cast<int>(page), -1, -1}}});
        return OkStatus();
      });
}

/// The same caption on several files: all of them are right.
Status LoadImages(const std::string& root, DataSet& set) {
  SIGHTLINE_RETURN_IF_ERROR(AddFolder(set, root, "images", {".png", ".jpg", ".jpeg"}));
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  return ForEachJsonLine(
      root + "/images/labels_captions.dev.jsonl", [&](const object& line) -> Status {
        SIGHTLINE_ASSIGN_OR_RETURN(const std::string query, TextMember(line, "query"));
        SIGHTLINE_ASSIGN_OR_RETURN(const std::string language, TextMember(line, "lang"));
        SIGHTLINE_ASSIGN_OR_RETURN(const std::string file, TextMember(line, "file"));
        SIGHTLINE_ASSIGN_OR_RETURN(const std::string kind, TextMember(line, "set"));
        const auto [it, inserted] = known.try_emplace({query, kind}, set.questions.size());
        if (inserted) set.questions.push_back({query, language, kind, {}});
        set.questions[it->second].relevant.push_back({file, 0, -1, -1});
        return OkStatus();
      });
}

Status LoadVideos(const std::string& root, DataSet& set) {
  constexpr double kMsPerSecond = 1000;
  SIGHTLINE_RETURN_IF_ERROR(AddFolder(set, root, "videos", {".mp4", ".webm", ".mkv", ".mpg"}));
  return ForEachJsonLine(
      root + "/videos/labels_moments.dev.jsonl", [&](const object& line) -> Status {
        SIGHTLINE_ASSIGN_OR_RETURN(const std::string query, TextMember(line, "query"));
        SIGHTLINE_ASSIGN_OR_RETURN(const std::string file, TextMember(line, "file"));
        const boost::json::value* ranges = line.if_contains("ranges");
        if (ranges == nullptr || !ranges->is_array()) return DataLoss("ranges missing");
        Question question{query, "en", "moment", {}};
        for (const boost::json::value& range : ranges->get_array()) {
          SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<double> ends, Numbers(&range, 2));
          question.relevant.push_back({file, 0, static_cast<std::int64_t>(ends[0] * kMsPerSecond),
                                       static_cast<std::int64_t>(ends[1] * kMsPerSecond)});
        }
        set.questions.push_back(std::move(question));
        return OkStatus();
      });
}

using Loader = std::function<Status(const std::string& root, DataSet& set)>;

const std::vector<std::pair<std::string, Loader>>& Loaders() {
  static const std::vector<std::pair<std::string, Loader>> loaders = {
      {"manpages-zh",
       [](const std::string& root, DataSet& set) {
         return LoadManPages(root + "/text/manpages.zh.jsonl", set, "zh", true);
       }},
      {"manpages-en",
       [](const std::string& root, DataSet& set) {
         return LoadManPages(root + "/text/manpages.en.jsonl", set, "en", true);
       }},
      {"manpages-cross", LoadManPagesCross},
      {"documents-dev", LoadDocuments},
      {"images-dev", LoadImages},
      {"videos-dev", LoadVideos},
  };
  return loaders;
}

}  // namespace

const std::vector<std::string>& DataSetNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, loader] : Loaders()) list.push_back(name);
    return list;
  }();
  return names;
}

Result<DataSet> LoadDataSet(std::string_view name, const std::string& root) {
  for (const auto& [known, loader] : Loaders()) {
    if (known != name) continue;
    DataSet set;
    set.name = known;
    SIGHTLINE_RETURN_IF_ERROR(loader(root, set));
    DropUnanswerable(set);
    return set;
  }
  std::string all;
  for (const std::string& known : DataSetNames()) all += (all.empty() ? "" : ", ") + known;
  return base::InvalidArgument("unknown data set '" + std::string(name) + "'; known are " + all);
}

}  // namespace sightline::eval
