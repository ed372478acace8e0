// What changes cost in a large space: a page added until it is found, pages removed until they are
// not, a filter that few units pass.
//
//   build/bench/bench/changes_bench FOLDER [PAGES]    (FOLDER is made; 20,000 pages unless given)

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "base/digest.h"
#include "store/compaction.h"
#include "store/local_store.h"

namespace sightline {
namespace {

using base::Result;
using base::Status;
using store::UnitId;
using Clock = std::chrono::steady_clock;

constexpr int kDims = 128;
constexpr int kVectorsAPage = 128;
constexpr int kQueryVectors = 32;
constexpr int kTopics = 4'096;
constexpr int kPagesADocument = 500;
constexpr int kRemovedPages = 300;
constexpr int kRounds = 20;
const store::SpaceKey kSpace{"default", "pages", kDims};

double MsSince(Clock::time_point begun) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
}

/// Pages of vectors around topics of which each has some twenty.
class Pages {
 public:
  Pages() {
    for (int i = 0; i < kTopics * kDims; ++i) topics_.push_back(normal_(random_));
  }

  std::vector<float> Make() {
    std::uniform_int_distribution<std::size_t> any(0, kTopics - 1);
    std::vector<std::size_t> on_page;
    for (int i = 0; i < 20; ++i) on_page.push_back(any(random_));
    std::vector<float> page;
    for (int v = 0; v < kVectorsAPage; ++v) {
      const std::size_t topic = on_page[any(random_) % on_page.size()];
      double square = 0;
      for (std::size_t d = 0; d < kDims; ++d) {
        page.push_back(topics_[topic * kDims + d] + 0.75F * normal_(random_));
        square += static_cast<double>(page.back()) * page.back();
      }
      const auto scale = static_cast<float>(1 / std::sqrt(square));
      for (std::size_t d = 0; d < kDims; ++d) page[page.size() - kDims + d] *= scale;
    }
    return page;
  }

 private:
  std::mt19937 random_{1};
  std::normal_distribution<float> normal_;
  std::vector<float> topics_;
};

class Bench {
 public:
  explicit Bench(store::LocalStore& local) : local_(local) {}

  /// Commits a document of `pages` pages; the first unit's id.
  Result<UnitId> Add(int pages, std::vector<float>* last = nullptr) {
    store::DocumentCommit commit;
    const std::string id = "D" + std::to_string(documents_++);
    commit.document.id = id;
    commit.document.blob_sha256 = base::Sha256Hex(id);
    SIGHTLINE_RETURN_IF_ERROR(local_.catalog->CreateDocument(commit.document));
    SIGHTLINE_ASSIGN_OR_RETURN(const UnitId first, local_.catalog->AllocateUnitIds(pages));
    SIGHTLINE_ASSIGN_OR_RETURN(const auto writer, local_.vectors->NewWriter(kSpace));
    for (int i = 0; i < pages; ++i) {
      const std::vector<float> page = pages_.Make();
      SIGHTLINE_RETURN_IF_ERROR(writer->Add(first + i, page));
      if (last != nullptr) *last = page;
      store::Unit unit;
      unit.id = unit.parent_id = first + i;
      unit.document_id = id;
      unit.kind = store::UnitKind::kPage;
      unit.ordinal = i;
      unit.locator.page = i + 1;
      commit.units.push_back(unit);
    }
    SIGHTLINE_ASSIGN_OR_RETURN(store::SegmentRef segment, writer->Finish());
    commit.segments.push_back(std::move(segment));
    SIGHTLINE_RETURN_IF_ERROR(local_.catalog->Commit(commit).status());
    return first;
  }
  std::string last_document() const { return "D" + std::to_string(documents_ - 1); }

  Result<std::vector<store::ScoredUnit>> Search(const std::vector<float>& page,
                                                const index::UnitSet* filter = nullptr) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto snapshot, local_.catalog->GetSnapshot("default"));
    const auto query = std::span(page).first(kQueryVectors * kDims);
    return local_.vectors->Search({kSpace, query, 10, filter}, *snapshot, {});
  }

  Status Fill(int pages) {
    for (int done = 0; done < pages; done += kPagesADocument) {
      SIGHTLINE_RETURN_IF_ERROR(Add(std::min(kPagesADocument, pages - done)).status());
    }
    auto begun = Clock::now();
    SIGHTLINE_RETURN_IF_ERROR(
        store::CompactCollection("default", *local_.catalog, *local_.vectors, {}));
    std::printf("%-42s %.1f s\n", "compaction that learns codes", MsSince(begun) / 1'000);
    begun = Clock::now();
    SIGHTLINE_RETURN_IF_ERROR(Search(pages_.Make()).status());
    std::printf("%-42s %.1f ms\n", "first search after it", MsSince(begun));
    return base::OkStatus();
  }

  Status MeasureAdd() {
    std::vector<double> times;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<float> page;
      const auto begun = Clock::now();
      SIGHTLINE_ASSIGN_OR_RETURN(const UnitId id, Add(1, &page));
      SIGHTLINE_ASSIGN_OR_RETURN(const auto found, Search(page));
      times.push_back(MsSince(begun));
      if (found.front().id != id) return base::DataLoss("the page is not found");
    }
    Report("a page added, until found", times);
    return base::OkStatus();
  }

  Status MeasureRemove() {
    std::vector<double> removed;
    std::vector<double> searched;
    for (int round = 0; round < kRounds / 4; ++round) {
      std::vector<float> page;
      SIGHTLINE_ASSIGN_OR_RETURN(const UnitId first, Add(kRemovedPages, &page));
      SIGHTLINE_RETURN_IF_ERROR(Search(page).status());
      const auto begun = Clock::now();
      SIGHTLINE_RETURN_IF_ERROR(local_.catalog->RemoveDocument(last_document()).status());
      removed.push_back(MsSince(begun));
      SIGHTLINE_ASSIGN_OR_RETURN(const auto found, Search(page));
      searched.push_back(MsSince(begun));
      if (found.front().id >= first) return base::DataLoss("a removed page is found");
    }
    Report("300 pages removed", removed);
    Report("300 pages removed, until the next answer", searched);
    return base::OkStatus();
  }

  Status MeasureFilter(UnitId units) {
    index::UnitSet one_of_1000;
    for (UnitId id = 1; id <= units; id += 1'000) one_of_1000.Insert(id);
    std::vector<double> with;
    std::vector<double> without;
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<float> page = pages_.Make();
      auto begun = Clock::now();
      SIGHTLINE_ASSIGN_OR_RETURN(const auto found, Search(page, &one_of_1000));
      with.push_back(MsSince(begun));
      begun = Clock::now();
      SIGHTLINE_RETURN_IF_ERROR(Search(page).status());
      without.push_back(MsSince(begun));
      if (found.size() != std::min<std::size_t>(10, one_of_1000.size())) {
        return base::DataLoss("the filter has lost units");
      }
    }
    Report("search, 1 of 1,000 units pass", with);
    Report("search, all pass", without);
    return base::OkStatus();
  }

 private:
  static void Report(const char* what, std::vector<double>& times) {
    std::ranges::sort(times);
    std::printf("%-42s p50 %.2f ms, most %.2f ms, n = %zu\n", what, times[times.size() / 2],
                times.back(), times.size());
  }

  store::LocalStore& local_;
  Pages pages_;
  int documents_ = 0;
};

Status Run(const std::string& folder, int pages) {
  SIGHTLINE_ASSIGN_OR_RETURN(store::LocalStore local, store::OpenLocalStore({.data_dir = folder}));
  Bench bench(local);
  SIGHTLINE_RETURN_IF_ERROR(bench.Fill(pages));
  SIGHTLINE_RETURN_IF_ERROR(bench.MeasureAdd());
  SIGHTLINE_RETURN_IF_ERROR(bench.MeasureRemove());
  return bench.MeasureFilter(pages);
}

}  // namespace
}  // namespace sightline

int main(int argc, char** argv) {
  int pages = 20'000;
  if (argc == 3) {
    const std::string text = argv[2];
    if (std::from_chars(text.data(), text.data() + text.size(), pages).ec != std::errc()) argc = 0;
  }
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: changes_bench FOLDER [PAGES]\n");
    return 2;
  }
  const sightline::base::Status status = sightline::Run(argv[1], pages);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return 1;
}
