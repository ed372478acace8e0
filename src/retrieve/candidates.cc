#include "retrieve/candidates.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "index/scored_unit.h"
#include "retrieve/fusion.h"
#include "retrieve/side_task.h"

namespace sightline::retrieve {
namespace {

using base::CancelToken;
using base::OkStatus;
using base::Result;
using base::Status;
using base::StatusCode;
using store::ScoredUnit;

constexpr std::size_t kRouteDepth = 100;  ///< Units that a route hands on, at least.
constexpr std::size_t kRerankSame = 50;   ///< E5.md: keeps the whole gain.
constexpr std::size_t kRerankOther = 100;

/// Several regions fold into one page, so routes look deeper than the hits that are wanted.
std::size_t Depth(const SearchRequest& request) {
  return std::max(kRouteDepth, static_cast<std::size_t>(request.top_k) * 3);
}

void DropRoutes(QueryPlan& plan, std::initializer_list<Route> dropped) {
  for (const Route route : dropped) std::erase(plan.routes, route);
}

/// Leaves a route out because its model is not installed; other failures are failures.
Status LeaveOut(const Status& status, QueryPlan& plan, std::initializer_list<Route> routes,
                EncodedQuery& query) {
  if (status.code() != StatusCode::kNotFound) return status;
  DropRoutes(plan, routes);
  // Several routes may lack the same model.
  if (std::find(query.notes.begin(), query.notes.end(), status.message()) == query.notes.end()) {
    query.notes.push_back(status.message());
  }
  return OkStatus();
}

Status EncodeWords(QueryPlan& plan, const SearchServices& services, EncodedQuery& query,
                   const CancelToken& cancel) {
  if (!plan.Has(Route::kDense) && !plan.Has(Route::kLateInteraction)) return OkStatus();
  const auto encoder = services.models.Text();
  if (!encoder.ok()) {
    return LeaveOut(encoder.status(), plan, {Route::kDense, Route::kLateInteraction}, query);
  }
  const model::TextInput input{plan.query, model::TextRole::kQuery, plan.language};
  SIGHTLINE_ASSIGN_OR_RETURN(auto embeddings, (*encoder)->Encode({&input, 1}, cancel));
  query.text = std::move(embeddings.front());
  return OkStatus();
}

/// Words only look for concepts when the collection has pictures at all: a cold search of texts
/// must not pay for opening the image model.
bool HasSegments(const QueryPlan& plan, const std::string& space_id) {
  return std::any_of(
      plan.snapshot->segments.begin(), plan.snapshot->segments.end(),
      [&](const store::SegmentRef& segment) { return segment.space_id == space_id; });
}

Status EncodeConcepts(QueryPlan& plan, const SearchServices& services, EncodedQuery& query) {
  if (!plan.Has(Route::kConcept)) return OkStatus();
  const auto encoder = services.models.Image();
  if (!encoder.ok()) return LeaveOut(encoder.status(), plan, {Route::kConcept}, query);
  if (!HasSegments(plan, (*encoder)->concept_space().Id())) {
    DropRoutes(plan, {Route::kConcept});
    return OkStatus();
  }
  SIGHTLINE_ASSIGN_OR_RETURN(query.concepts, (*encoder)->ConceptQuery(plan.query, plan.language));
  return OkStatus();
}

Status EncodeDual(const std::vector<media::Image>& pictures, QueryPlan& plan,
                  const SearchServices& services, EncodedQuery& query, const CancelToken& cancel) {
  if (!plan.Has(Route::kDual)) return OkStatus();
  const auto encoder = services.models.Dual();
  if (encoder.status().code() == StatusCode::kNotFound) {
    DropRoutes(plan, {Route::kDual});
    return OkStatus();
  }
  if (!encoder.ok()) return encoder.status();
  const std::vector<std::string> texts = {plan.query};
  SIGHTLINE_ASSIGN_OR_RETURN(const model::VectorMatrix vectors,
                             pictures.empty() ? (*encoder)->EncodeTexts(texts, cancel)
                                              : (*encoder)->EncodeImages(pictures, cancel));
  query.dual.assign(vectors.row(0).begin(), vectors.row(0).end());
  return OkStatus();
}

/// A picture that is damaged or over a limit is the fault of who asks with it.
Status PictureFailure(const Status& failure) {
  const bool of_the_picture = failure.code() == base::StatusCode::kDataLoss ||
                              failure.code() == base::StatusCode::kResourceExhausted;
  return of_the_picture ? base::InvalidArgument(failure.message()) : failure;
}

Status EncodePicture(const SearchRequest& request, QueryPlan& plan, const SearchServices& services,
                     EncodedQuery& query, const CancelToken& cancel) {
  constexpr int kQueryPictureLongSidePx = 1024;
  std::vector<media::Image> pictures;
  if (!request.image_path.empty()) {
    Result<media::Image> picture =
        services.decoder.DecodePicture(request.image_path, kQueryPictureLongSidePx, cancel);
    if (!picture.ok()) return PictureFailure(picture.status());
    pictures.push_back(*std::move(picture));
  }
  SIGHTLINE_RETURN_IF_ERROR(EncodeDual(pictures, plan, services, query, cancel));
  if (!plan.Has(Route::kImage)) return OkStatus();
  const auto encoder = services.models.Image();
  if (!encoder.ok()) return LeaveOut(encoder.status(), plan, {Route::kImage}, query);
  SIGHTLINE_ASSIGN_OR_RETURN(auto embeddings, (*encoder)->Encode(pictures, cancel));
  query.image = std::move(embeddings.front().features);
  return OkStatus();
}

Result<std::vector<ScoredUnit>> SearchSpace(const model::EmbeddingSpace& space,
                                            std::span<const float> vectors,
                                            const SearchRequest& request, const QueryPlan& plan,
                                            const index::UnitSet* filter,
                                            const SearchServices& services,
                                            const CancelToken& cancel) {
  store::VectorQuery query;
  query.space = {request.collection, space.Id(), space.dims};
  query.vectors = vectors;
  query.top_k = Depth(request);
  query.filter = filter;
  query.mode = request.mode;
  return services.vectors.Search(query, *plan.snapshot, cancel);
}

Status FindDense(const SearchRequest& request, const QueryPlan& plan, const EncodedQuery& query,
                 const SearchServices& services, base::ThreadPool& pool, const CancelToken& cancel,
                 Candidates& found) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::shared_ptr<model::TextEncoder> encoder,
                             services.models.Text());
  const auto search = [&](const index::UnitSet* filter) {
    return SearchSpace(encoder->sentence_space(), query.text->sentence, request, plan, filter,
                       services, cancel);
  };
  // The two languages share the cores; both end before anything here returns.
  const std::function<Result<std::vector<ScoredUnit>>()> other = [&] {
    return search(plan.other_language.get());
  };
  std::future<Result<std::vector<ScoredUnit>>> beside;
  if (plan.other_language != nullptr) beside = RunBeside(pool, other);
  Result<std::vector<ScoredUnit>> same = search(plan.same_language.get());
  if (beside.valid()) {
    SIGHTLINE_ASSIGN_OR_RETURN(found.other_language, beside.get());
  }
  SIGHTLINE_ASSIGN_OR_RETURN(found.same_language, std::move(same));
  std::merge(found.same_language.begin(), found.same_language.end(), found.other_language.begin(),
             found.other_language.end(), std::back_inserter(found.by_route[Route::kDense]),
             index::RanksBefore);
  return OkStatus();
}

/// Exact scores, each thread of the pool with a part of the units.
Result<std::vector<ScoredUnit>> ScoreInParts(const store::VectorQuery& query,
                                             std::span<const store::UnitId> ids,
                                             const store::Snapshot& snapshot,
                                             const SearchServices& services, base::ThreadPool& pool,
                                             const CancelToken& cancel) {
  constexpr std::size_t kLeastPart = 16;
  const std::size_t parts =
      std::clamp<std::size_t>(ids.size() / kLeastPart, 1, pool.thread_count());
  const std::size_t size = (ids.size() + parts - 1) / parts;
  std::vector<Result<std::vector<ScoredUnit>>> results(parts, std::vector<ScoredUnit>());
  RunParts(pool, parts, [&](std::size_t part) {
    const std::size_t first = std::min(part * size, ids.size());
    results[part] = services.vectors.Score(
        query, ids.subspan(first, std::min(size, ids.size() - first)), snapshot, cancel);
  });
  std::vector<ScoredUnit> scored;
  for (const Result<std::vector<ScoredUnit>>& result : results) {
    if (!result.ok()) return result.status();
    scored.insert(scored.end(), result->begin(), result->end());
  }
  std::sort(scored.begin(), scored.end(), index::RanksBefore);
  return scored;
}

}  // namespace

Result<EncodedQuery> EncodeQuery(const SearchRequest& request, QueryPlan& plan,
                                 const SearchServices& services, const CancelToken& cancel) {
  EncodedQuery query;
  SIGHTLINE_RETURN_IF_ERROR(EncodeWords(plan, services, query, cancel));
  SIGHTLINE_RETURN_IF_ERROR(EncodeConcepts(plan, services, query));
  SIGHTLINE_RETURN_IF_ERROR(EncodePicture(request, plan, services, query, cancel));
  if (plan.routes.empty() && !query.notes.empty()) {
    return base::FailedPrecondition(
        "no model is installed that could answer this; run `sightline doctor`");
  }
  return query;
}

std::future<Result<store::LexicalHits>> StartLexical(const SearchRequest& request,
                                                     const QueryPlan& plan,
                                                     const SearchServices& services,
                                                     base::ThreadPool& pool,
                                                     const CancelToken& cancel) {
  if (!plan.Has(Route::kLexical) && !plan.Has(Route::kLateInteraction)) {
    std::promise<Result<store::LexicalHits>> nothing;
    nothing.set_value(store::LexicalHits());
    return nothing.get_future();
  }
  store::LexicalQuery query;
  query.collection = request.collection;
  query.terms = plan.terms;
  query.prefixes = plan.prefixes;
  query.top_k = Depth(request);
  const std::function<Result<store::LexicalHits>()> search =
      [query, filter = plan.filter, &lexical = services.lexical, cancel]() mutable {
        query.filter = filter.get();
        return lexical.Search(query, cancel);
      };
  return RunBeside(pool, search);
}

Result<Candidates> FindCandidates(const SearchRequest& request, const QueryPlan& plan,
                                  const EncodedQuery& query, store::LexicalHits lexical,
                                  const SearchServices& services, base::ThreadPool& pool,
                                  const CancelToken& cancel) {
  Candidates found;
  if (!lexical.units.empty()) found.by_route[Route::kLexical] = std::move(lexical.units);
  found.lexical_bound = lexical.bound;
  if (query.text) {
    SIGHTLINE_RETURN_IF_ERROR(FindDense(request, plan, query, services, pool, cancel, found));
  }
  if (!query.concepts.empty() || !query.image.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::shared_ptr<model::ImageEncoder> encoder,
                               services.models.Image());
    if (!query.concepts.empty()) {
      SIGHTLINE_ASSIGN_OR_RETURN(found.by_route[Route::kConcept],
                                 SearchSpace(encoder->concept_space(), query.concepts, request,
                                             plan, plan.filter.get(), services, cancel));
    }
    if (!query.image.empty()) {
      SIGHTLINE_ASSIGN_OR_RETURN(found.by_route[Route::kImage],
                                 SearchSpace(encoder->feature_space(), query.image, request, plan,
                                             plan.filter.get(), services, cancel));
    }
  }
  if (!query.dual.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::shared_ptr<model::DualEncoder> encoder,
                               services.models.Dual());
    SIGHTLINE_ASSIGN_OR_RETURN(found.by_route[Route::kDual],
                               SearchSpace(encoder->space(), query.dual, request, plan,
                                           plan.filter.get(), services, cancel));
  }
  return found;
}

Result<std::vector<ScoredUnit>> RerankByMaxSim(const QueryPlan& plan, const EncodedQuery& query,
                                               const Candidates& candidates,
                                               const SearchRequest& request,
                                               const SearchServices& services,
                                               base::ThreadPool& pool, const CancelToken& cancel) {
  RankedList lexical;
  if (const auto it = candidates.by_route.find(Route::kLexical); it != candidates.by_route.end()) {
    lexical.units = it->second;
  }
  const std::vector<RankedList> lists = {std::move(lexical), {candidates.same_language, 1}};
  const std::size_t same_depth = std::max(kRerankSame, static_cast<std::size_t>(request.top_k));
  const std::size_t other_depth = std::max(kRerankOther, static_cast<std::size_t>(request.top_k));
  std::set<store::UnitId> chosen;
  for (const ScoredUnit& unit : FuseByRank(lists)) {
    if (chosen.size() < same_depth) chosen.insert(unit.id);
  }
  for (std::size_t i = 0; i < std::min(other_depth, candidates.other_language.size()); ++i) {
    chosen.insert(candidates.other_language[i].id);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::shared_ptr<model::TextEncoder> encoder,
                             services.models.Text());
  const std::vector<store::UnitId> ids(chosen.begin(), chosen.end());
  store::VectorQuery exact;
  exact.space = {request.collection, encoder->token_space().Id(), encoder->token_space().dims};
  exact.vectors = query.text->tokens.values;
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<ScoredUnit> scored,
                             ScoreInParts(exact, ids, *plan.snapshot, services, pool, cancel));
  const auto tokens = static_cast<float>(query.text->tokens.rows());
  for (ScoredUnit& unit : scored) unit.score /= tokens;
  if (plan.Has(Route::kLexical)) {
    AddLexicalSupport(lists.front().units, candidates.lexical_bound, scored);
  }
  return scored;
}

}  // namespace sightline::retrieve
