#include <boost/json.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "eval/corpus.h"

namespace sightline::eval {

base::Status SaveCorpus(const Corpus& corpus, const std::string& path) {
  boost::json::object keys;
  for (const auto& [id, key] : corpus.key_by_document_id) keys[id] = key;
  boost::json::array failures;
  for (const std::string& failure : corpus.failures) failures.emplace_back(failure);
  const std::string text = boost::json::serialize(boost::json::object{
      {"documents", keys}, {"failures", failures}, {"seconds", corpus.seconds}});
  const std::string unfinished = path + ".part";
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    return base::IoError("cannot write " + path);
  }
  return base::OkStatus();
}

base::Result<Corpus> LoadCorpus(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return base::NotFound("there is no " + path);
  std::ostringstream text;
  text << file.rdbuf();
  Corpus corpus;
  try {
    const boost::json::value value = boost::json::parse(text.str());
    for (const auto& member : value.at("documents").as_object()) {
      corpus.key_by_document_id.emplace(member.key(), member.value().as_string());
    }
    for (const auto& failure : value.at("failures").as_array()) {
      corpus.failures.emplace_back(failure.as_string());
    }
    corpus.seconds = value.at("seconds").to_number<double>();
  } catch (const std::exception& error) {
    return base::DataLoss(path + " is not what `eval --keep` writes: " + error.what());
  }
  return corpus;
}

}  // namespace sightline::eval
