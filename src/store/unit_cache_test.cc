#include "store/unit_cache.h"

#include <gtest/gtest.h>

namespace sightline::store {
namespace {

std::shared_ptr<const Unit> UnitOf(UnitId id, std::string text) {
  auto unit = std::make_shared<Unit>();
  unit->id = id;
  unit->text = std::move(text);
  return unit;
}

TEST(UnitCacheTest, KeepsUnitsThatDifferInAnyPartOfTheirId) {
  UnitCache cache(1 << 20);
  const UnitId ids[] = {1, 256, 257, UnitId{1} << 40, (UnitId{1} << 40) + 1};
  for (const UnitId id : ids) cache.Keep(UnitOf(id, std::to_string(id)), cache.generation());
  for (const UnitId id : ids) {
    const auto unit = cache.Find(id);
    ASSERT_NE(unit, nullptr) << id;
    EXPECT_EQ(unit->text, std::to_string(id));
  }
  EXPECT_EQ(cache.Find(2), nullptr);
}

TEST(UnitCacheTest, WhatWasReadBeforeARemovalIsNotKept) {
  UnitCache cache(1 << 20);
  const std::uint64_t before = cache.generation();
  cache.Keep(UnitOf(1, "泵"), before);
  cache.Clear();
  cache.Keep(UnitOf(2, "pump"), before);
  EXPECT_EQ(cache.Find(1), nullptr);
  EXPECT_EQ(cache.Find(2), nullptr);
}

TEST(UnitCacheTest, ItsSizeIsBounded) {
  UnitCache cache(1 << 20);
  for (UnitId id = 0; id < 1'000; ++id) {
    cache.Keep(UnitOf(id, std::string(10'000, 'x')), cache.generation());
  }
  int kept = 0;
  for (UnitId id = 0; id < 1'000; ++id) kept += cache.Find(id) != nullptr ? 1 : 0;
  EXPECT_GT(kept, 10);
  EXPECT_LT(kept, 110);
}

}  // namespace
}  // namespace sightline::store
