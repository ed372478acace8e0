// Writes the token vectors of a data folder, and of questions, as .npy files for
// `sightline bench index` and for other engines.
//
//   build/bench/bench/dump_vectors DATA QUESTIONS.txt OUT   (one question a line; OUT is a folder)
//
// OUT/vectors.npy [n, dims], offsets.npy [units + 1], queries.npy [m, dims], query_offsets.npy.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "engine/components.h"
#include "index/segment_reader.h"
#include "index/vector_reader.h"
#include "text/language.h"

namespace sightline {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

/// Rows of a .npy file (NEP 1) whose number is known at the end.
template <typename T>
class NpyFile {
 public:
  NpyFile(const std::string& path, std::string type, std::size_t dims)
      : file_(path, std::ios::binary), type_(std::move(type)), dims_(dims) {
    file_ << std::string(kHeaderBytes, ' ');
  }
  void Append(std::span<const T> numbers) {
    file_.write(reinterpret_cast<const char*>(numbers.data()),
                static_cast<std::streamsize>(numbers.size_bytes()));
    count_ += numbers.size();
  }
  std::size_t rows() const { return count_ / dims_; }
  Status Finish() {
    std::string shape = std::to_string(rows()) + ",";
    if (dims_ > 1) shape += " " + std::to_string(dims_);
    std::string header =
        "{'descr': '" + type_ + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize(kHeaderBytes - 10, ' ');
    header.back() = '\n';
    const auto size = static_cast<char>(header.size());
    file_.seekp(0);
    file_ << std::string("\x93NUMPY\x01\x00", 8) << size << '\0' << header;
    file_.close();
    return file_ ? OkStatus() : base::DataLoss("cannot write the .npy files");
  }

 private:
  static constexpr std::size_t kHeaderBytes = 128;
  std::ofstream file_;
  const std::string type_;
  const std::size_t dims_;
  std::size_t count_ = 0;
};

Status DumpUnits(const engine::Config& config, engine::Components& components,
                 const model::EmbeddingSpace& space, const std::string& out) {
  const auto dims = static_cast<std::size_t>(space.dims);
  NpyFile<float> vectors(out + "/vectors.npy", "<f4", dims);
  NpyFile<std::int64_t> offsets(out + "/offsets.npy", "<i8", 1);
  offsets.Append(std::vector<std::int64_t>{0});
  SIGHTLINE_ASSIGN_OR_RETURN(const auto snapshot, components.catalog->GetSnapshot("default"));
  for (const store::SegmentRef& segment : snapshot->segments) {
    if (segment.space_id != space.Id()) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(
        const auto reader,
        index::SegmentReader::Open(io::PosixFileSystem(), config.data_dir + "/" + segment.file));
    index::VectorReader read(*reader);
    for (std::size_t unit = 0; unit < reader->unit_count(); ++unit) {
      if (snapshot->deleted->Contains(reader->unit_id(unit))) continue;
      const std::uint64_t first = reader->first_vector(unit);
      std::vector<float> of_unit((reader->first_vector(unit + 1) - first) * dims);
      SIGHTLINE_RETURN_IF_ERROR(read.Read(first, of_unit));
      vectors.Append(of_unit);
      offsets.Append(std::vector{static_cast<std::int64_t>(vectors.rows())});
    }
  }
  std::printf("%zu units, %zu vectors of %zu dims\n", offsets.rows() - 1, vectors.rows(), dims);
  SIGHTLINE_RETURN_IF_ERROR(vectors.Finish());
  return offsets.Finish();
}

Status DumpQuestions(model::TextEncoder& encoder, const std::string& path, const std::string& out) {
  std::ifstream file(path);
  NpyFile<float> vectors(out + "/queries.npy", "<f4",
                         static_cast<std::size_t>(encoder.token_space().dims));
  NpyFile<std::int64_t> offsets(out + "/query_offsets.npy", "<i8", 1);
  offsets.Append(std::vector<std::int64_t>{0});
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const model::TextInput input{line, model::TextRole::kQuery, text::DetectLanguage(line)};
    SIGHTLINE_ASSIGN_OR_RETURN(const auto embeddings, encoder.Encode(std::span(&input, 1), {}));
    vectors.Append(embeddings.front().tokens.values);
    offsets.Append(std::vector{static_cast<std::int64_t>(vectors.rows())});
  }
  std::printf("%zu questions, %zu vectors\n", offsets.rows() - 1, vectors.rows());
  SIGHTLINE_RETURN_IF_ERROR(vectors.Finish());
  return offsets.Finish();
}

Status Run(const std::string& folder, const std::string& questions, const std::string& out) {
  engine::Config config;
  config.data_dir = folder;
  config.registry = "models/registry.toml";
  SIGHTLINE_ASSIGN_OR_RETURN(engine::Components components, engine::OpenComponents(config));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto encoder, components.models->Text());
  SIGHTLINE_RETURN_IF_ERROR(DumpUnits(config, components, encoder->token_space(), out));
  return DumpQuestions(*encoder, questions, out);
}

}  // namespace
}  // namespace sightline

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: dump_vectors DATA QUESTIONS.txt OUT  (from the repository's root)\n",
               stderr);
    return 2;
  }
  const sightline::base::Status status = sightline::Run(argv[1], argv[2], argv[3]);
  if (!status.ok()) std::fprintf(stderr, "dump_vectors: %s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
