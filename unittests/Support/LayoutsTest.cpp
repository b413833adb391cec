//===- LayoutsTest.cpp - Choosing between two layouts ---------------------===//

#include "JobDialect/Support/Layouts.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir::job;

namespace {

using Op = LayoutGraph::Op;
using Blob = LayoutGraph::Blob;

/// The cost of an assignment, by the rules of the header.
int64_t getCost(const LayoutGraph &graph, const std::vector<bool> &permuted) {
  int64_t cost = 0;
  for (size_t i = 0; i < graph.ops.size(); ++i)
    cost += permuted[i] ? graph.ops[i].permutedCost : graph.ops[i].plainCost;
  for (const Blob &blob : graph.blobs) {
    bool isPermuted = blob.producer && permuted[*blob.producer];
    bool needsOther = isPermuted && blob.hasPlainUser;
    for (unsigned user : blob.users)
      needsOther |= permuted[user] != isPermuted;
    cost += needsOther ? blob.copyCost : 0;
  }
  return cost;
}

/// The best of all assignments that are allowed: of equal ones that with the
/// fewest permuted ops.
std::vector<bool> tryAll(const LayoutGraph &graph) {
  std::vector<bool> best;
  auto rank = [&](const std::vector<bool> &permuted) {
    return std::pair(getCost(graph, permuted),
                     std::count(permuted.begin(), permuted.end(), true));
  };
  for (unsigned bits = 0; bits < 1u << graph.ops.size(); ++bits) {
    std::vector<bool> permuted;
    for (size_t i = 0; i < graph.ops.size(); ++i)
      permuted.push_back(bits >> i & 1);
    bool isAllowed = true;
    for (size_t i = 0; i < graph.ops.size(); ++i)
      isAllowed &= graph.ops[i].isPermuted.value_or(permuted[i]) == permuted[i];
    if (isAllowed && (best.empty() || rank(permuted) < rank(best)))
      best = permuted;
  }
  return best;
}

using Plan = std::vector<bool>;

TEST(Layouts, NothingGainsFromIt) {
  EXPECT_EQ(planLayouts({}), Plan());
  // A copy of nothing is no reason.
  LayoutGraph graph{{Op{}, Op{}}, {Blob{0, {1}, false, 0}}};
  EXPECT_EQ(planLayouts(graph), (Plan{false, false}));
}

TEST(Layouts, AnOpAloneGainsLessThanItsCopies) {
  // input -> op -> result, which is plain.
  LayoutGraph graph{{Op{19, 0}},
                    {Blob{std::nullopt, {0}, false, 10},
                     Blob{0, {}, /*hasPlainUser=*/true, 10}}};
  EXPECT_EQ(planLayouts(graph), Plan{false});
  // As much as them.
  graph.ops[0].plainCost = 20;
  EXPECT_EQ(planLayouts(graph), Plan{false});
  graph.ops[0].plainCost = 21;
  EXPECT_EQ(planLayouts(graph), Plan{true});
}

TEST(Layouts, OpsBetweenTwoFollow) {
  // Neither of ops 0 and 2 pays for both copies; with op 1 they do.
  LayoutGraph graph{{Op{15, 0}, Op{}, Op{15, 0}},
                    {Blob{std::nullopt, {0}, false, 10},
                     Blob{0, {1}, false, 10}, Blob{1, {2}, false, 10},
                     Blob{2, {}, true, 10}}};
  EXPECT_EQ(planLayouts(graph), (Plan{true, true, true}));
  // Op 1 costs more than copies around it.
  graph.ops[1].permutedCost = 100;
  EXPECT_EQ(planLayouts(graph), (Plan{false, false, false}));
}

TEST(Layouts, TheBorderIsWhereBlobsAreSmall) {
  // input (100) -> 0 -> (5) -> 1 -> (50) -> 2, which gains.
  LayoutGraph graph{{Op{}, Op{}, Op{60, 0}},
                    {Blob{std::nullopt, {0}, false, 100},
                     Blob{0, {1}, false, 5}, Blob{1, {2}, false, 50}}};
  EXPECT_EQ(planLayouts(graph), (Plan{false, true, true}));
}

TEST(Layouts, UsersShareACopy) {
  // Two users gain 6 each from a copy that costs 10.
  LayoutGraph graph{{Op{6, 0}, Op{6, 0}},
                    {Blob{std::nullopt, {0, 1}, false, 10}}};
  EXPECT_EQ(planLayouts(graph), (Plan{true, true}));
  LayoutGraph apart{
      {Op{6, 0}, Op{6, 0}},
      {Blob{std::nullopt, {0}, false, 10}, Blob{std::nullopt, {1}, false, 10}}};
  EXPECT_EQ(planLayouts(apart), (Plan{false, false}));
}

TEST(Layouts, IsTheBestOfAllAssignments) {
  std::mt19937 random(20);
  auto draw = [&](int limit) { return static_cast<int>(random() % limit); };
  for (int round = 0; round < 400; ++round) {
    LayoutGraph graph;
    unsigned count = 1 + draw(9);
    for (unsigned i = 0; i < count; ++i)
      graph.ops.push_back({draw(3) ? 0 : draw(30), draw(4) ? 0 : draw(30)});
    if (draw(2))
      for (Op &op : graph.ops)
        if (draw(4) == 0)
          op.isPermuted = draw(2);
    for (unsigned i = 0; i < 2 * count; ++i) {
      Blob blob;
      if (draw(4))
        blob.producer = draw(count);
      // Ops use blobs of ops before them.
      for (unsigned user = blob.producer ? *blob.producer + 1 : 0; user < count;
           ++user)
        if (draw(3) == 0)
          blob.users.push_back(user);
      blob.hasPlainUser = draw(4) == 0;
      blob.copyCost = draw(12);
      graph.blobs.push_back(blob);
    }
    EXPECT_EQ(planLayouts(graph), tryAll(graph)) << "round " << round;
  }
}

TEST(Layouts, ALongChainIsFast) {
  constexpr unsigned kCount = 2000;
  LayoutGraph graph;
  for (unsigned i = 0; i < kCount; ++i) {
    graph.ops.push_back({i % 3 ? 0 : 4, 0});
    Blob blob;
    if (i)
      blob.producer = i - 1;
    blob.users = {i};
    blob.copyCost = kMaxLayoutCost;
    graph.blobs.push_back(blob);
  }
  // The gain of all of them is below the cost of the first copy.
  EXPECT_EQ(planLayouts(graph), Plan(kCount, false));
  graph.blobs[0].copyCost = 1;
  EXPECT_EQ(planLayouts(graph), Plan(kCount, true));
}

} // namespace
