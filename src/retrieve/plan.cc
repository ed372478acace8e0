#include "retrieve/plan.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "text/analyzer.h"

namespace sightline::retrieve {
namespace {

using base::InvalidArgument;
using base::OkStatus;
using base::Result;
using base::Status;
using text::Language;

store::Condition LanguageIs(Language language) {
  store::Condition condition;
  condition.key = "language";
  condition.any_of = {std::string(text::LanguageCode(language))};
  return condition;
}

/// Regions on pages, or those in pictures.
store::Condition RegionsOf(std::string_view kind) {
  store::Condition regions;
  regions.key = "kind";
  regions.any_of = {std::string("region")};
  store::Condition paged;
  paged.key = "page";
  (kind == "page" ? paged.gte : paged.lt) = 1;
  store::Condition both;
  both.nested.emplace_back().must = {std::move(regions), std::move(paged)};
  return both;
}

/// Words stand in the regions of pages and pictures, which are then shown as the page or picture: a
/// filter for these kinds lets their regions through.
store::Filter WithRegions(store::Filter filter) {
  for (std::vector<store::Condition>* part : {&filter.must, &filter.should, &filter.must_not}) {
    for (store::Condition& condition : *part) {
      for (store::Filter& nested : condition.nested) nested = WithRegions(std::move(nested));
      if (condition.key != "kind") continue;
      store::Filter any;
      for (const char* kind : {"page", "image"}) {
        const store::FilterValue value = std::string(kind);
        const bool named = std::find(condition.any_of.begin(), condition.any_of.end(), value) !=
                           condition.any_of.end();
        if (named) any.should.push_back(RegionsOf(kind));
      }
      if (any.should.empty()) continue;
      any.should.push_back(std::move(condition));
      condition = store::Condition();
      condition.nested.push_back(std::move(any));
    }
  }
  return filter;
}

/// The routes that this request can use: words take the text routes, a picture the picture ones.
std::vector<Route> ApplicableRoutes(const SearchRequest& request) {
  std::vector<Route> routes;
  if (!request.query.empty()) {
    routes = {Route::kLexical, Route::kDense, Route::kLateInteraction, Route::kConcept};
  }
  if (!request.image_path.empty()) routes.push_back(Route::kImage);
  routes.push_back(Route::kDual);
  if (!request.routes.empty()) {
    std::erase_if(routes, [&](Route route) {
      return std::find(request.routes.begin(), request.routes.end(), route) == request.routes.end();
    });
  }
  return routes;
}

Status SplitByLanguage(const std::string& collection, const store::Filter& filter,
                       const SearchServices& services, QueryPlan& plan) {
  plan.same_language = plan.filter;
  if (plan.language == Language::kOther) return OkStatus();
  const Language other =
      plan.language == Language::kChinese ? Language::kEnglish : Language::kChinese;
  store::Filter with = filter;
  with.must.push_back(LanguageIs(other));
  SIGHTLINE_ASSIGN_OR_RETURN(auto others, services.catalog.ResolveFilter(collection, with));
  if (others == nullptr || others->empty()) return OkStatus();
  store::Filter without = filter;
  without.must_not.push_back(LanguageIs(other));
  SIGHTLINE_ASSIGN_OR_RETURN(plan.same_language,
                             services.catalog.ResolveFilter(collection, without));
  plan.other_language = std::move(others);
  return OkStatus();
}

}  // namespace

bool QueryPlan::Has(Route route) const {
  return std::find(routes.begin(), routes.end(), route) != routes.end();
}

Status ValidateRequest(const SearchRequest& request) {
  const bool blank = request.query.find_first_not_of(" \t\r\n") == std::string::npos;
  if (blank && request.image_path.empty()) {
    return InvalidArgument("nothing was asked: give words, a picture, or both");
  }
  if (request.query.size() > kMaxQueryBytes) {
    return InvalidArgument("the question is too long: at most 8192 bytes, got " +
                           std::to_string(request.query.size()));
  }
  if (request.top_k < 1 || request.top_k > kMaxTopK) {
    return InvalidArgument("top_k must be from 1 to 1000, got " + std::to_string(request.top_k));
  }
  return OkStatus();
}

Result<QueryPlan> MakePlan(const SearchRequest& request, const SearchServices& services) {
  SIGHTLINE_RETURN_IF_ERROR(ValidateRequest(request));
  QueryPlan plan;
  plan.query = base::SanitizeUtf8(request.query);
  plan.language = text::DetectLanguage(plan.query);
  plan.routes = ApplicableRoutes(request);
  for (text::Token& token : text::AnalyzeQuery(plan.query)) {
    (token.is_prefix ? plan.prefixes : plan.terms).push_back(std::move(token.term));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(plan.snapshot, services.catalog.GetSnapshot(request.collection));
  const store::Filter filter = WithRegions(request.filter);
  SIGHTLINE_ASSIGN_OR_RETURN(plan.filter,
                             services.catalog.ResolveFilter(request.collection, filter));
  SIGHTLINE_RETURN_IF_ERROR(SplitByLanguage(request.collection, filter, services, plan));
  return plan;
}

}  // namespace sightline::retrieve
