// The logic of the AMX kernels on a model of the tile instructions; kernels_test.cc runs them on
// the real ones where the machine has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include "kernels/amx_tile_model.h"
#include "kernels/dispatch.h"
#include "kernels/random_groups.h"

namespace sightline::kernels {
namespace {

bool MachineHasAvx512() {
  const auto tables = RunnableKernels();
  return std::find(tables.begin(), tables.end(), &kAvx512Kernels) != tables.end();
}

TEST(AmxModelTest, BestDotsEqualScalarToTheBitAndTilesAreReleased) {
  if (!MachineHasAvx512()) {
    std::printf("SKIP: this machine has no avx512\n");
    GTEST_SKIP() << "this machine has no avx512";
  }
  for (const std::size_t dims : {5U, 64U, 65U, 128U}) {
    for (const std::size_t count : {8U, 9U, 16U, 17U, 33U, 65U}) {
      for (const std::size_t groups : {0U, 1U, 2U, 3U, 7U}) {
        const RandomRows query(count, dims, 7);
        const RandomGroups documents(groups, dims, 4 * (count % 16), 8);
        std::vector<float> expected(count * 16 + 1, -std::numeric_limits<float>::infinity());
        std::vector<float> got = expected;
        std::vector<std::uint32_t> expected_vectors(count * 16 + 1, 4711);
        std::vector<std::uint32_t> got_vectors = expected_vectors;
        const QueryRows rows = query.rows();
        kScalarKernels.best_dots(&rows, documents.data(), groups, dims, expected.data(),
                                 expected_vectors.data());
        kModelledAmxKernels.best_dots(&rows, documents.data(), groups, dims, got.data(),
                                      got_vectors.data());
        ASSERT_EQ(got, expected) << "dims " << dims << " rows " << count << " groups " << groups;
        ASSERT_EQ(got_vectors, expected_vectors) << "dims " << dims << " rows " << count;
        ASSERT_TRUE(ModelledTilesAreReleased());
      }
    }
  }
}

TEST(AmxModelTest, MaxDotsEqualScalarToTheBitAndTilesAreReleased) {
  if (!MachineHasAvx512()) {
    std::printf("SKIP: this machine has no avx512\n");
    GTEST_SKIP() << "this machine has no avx512";
  }
  for (const std::size_t dims : {1U, 5U, 60U, 64U, 65U, 128U, 250U, 384U}) {
    for (const std::size_t count : {8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U, 49U, 65U}) {
      for (const std::size_t groups : {0U, 1U, 2U, 3U, 7U}) {
        const RandomRows query(count, dims, 7);
        const RandomGroups documents(groups, dims, 4 * (count % 16), 8);
        std::vector<float> expected(count * 16, -std::numeric_limits<float>::infinity());
        expected.push_back(77);
        std::vector<float> got = expected;
        const QueryRows rows = query.rows();
        kScalarKernels.max_dots(&rows, documents.data(), groups, dims, expected.data());
        kModelledAmxKernels.max_dots(&rows, documents.data(), groups, dims, got.data());
        ASSERT_EQ(got, expected) << "dims " << dims << " rows " << count << " groups " << groups;
        ASSERT_TRUE(ModelledTilesAreReleased());
      }
    }
  }
}

}  // namespace
}  // namespace sightline::kernels
