//===- GraphLayoutTest.cpp - Places for the boxes of a graph --------------===//

#include "JobDialect/Support/GraphLayout.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir::job;

using Boxes = std::vector<GraphBox>;
using Arrows = std::vector<GraphArrow>;

/// What must hold for every layout: nothing overlaps or leaves the picture,
/// every arrow leads down from its first box to its last.
static void check(const Boxes &boxes, const Arrows &arrows,
                  const GraphLayout &layout) {
  constexpr double slack = 1e-6;
  ASSERT_EQ(layout.boxes.size(), boxes.size());
  ASSERT_EQ(layout.layers.size(), boxes.size());
  ASSERT_EQ(layout.arrows.size(), arrows.size());
  for (size_t i = 0; i < boxes.size(); ++i) {
    GraphPoint a = layout.boxes[i];
    EXPECT_GE(a.x, -slack);
    EXPECT_GE(a.y, -slack);
    EXPECT_LE(a.x + boxes[i].width, layout.width + slack);
    EXPECT_LE(a.y + boxes[i].height, layout.height + slack);
    for (size_t j = 0; j < i; ++j) {
      GraphPoint b = layout.boxes[j];
      bool apart = a.x + boxes[i].width <= b.x + slack ||
                   b.x + boxes[j].width <= a.x + slack ||
                   a.y + boxes[i].height <= b.y + slack ||
                   b.y + boxes[j].height <= a.y + slack;
      EXPECT_TRUE(apart) << "boxes " << i << " and " << j << " overlap";
    }
  }
  for (size_t i = 0; i < arrows.size(); ++i) {
    const std::vector<GraphPoint> &points = layout.arrows[i];
    if (points.empty())
      continue;
    ASSERT_GE(points.size(), 2u);
    auto [from, to] = arrows[i];
    EXPECT_LT(layout.layers[from], layout.layers[to]);
    EXPECT_NEAR(points.front().y, layout.boxes[from].y + boxes[from].height,
                slack);
    EXPECT_NEAR(points.front().x, layout.boxes[from].x + boxes[from].width / 2,
                slack);
    EXPECT_NEAR(points.back().y, layout.boxes[to].y, slack);
    for (size_t k = 1; k < points.size(); ++k)
      EXPECT_GE(points[k].y, points[k - 1].y - slack);
  }
}

static GraphLayout layOut(const Boxes &boxes, const Arrows &arrows) {
  GraphLayout layout = layOutGraph(boxes, arrows);
  check(boxes, arrows, layout);
  return layout;
}

TEST(GraphLayoutTest, NothingIsAnEmptyPicture) {
  GraphLayout layout = layOut({}, {});
  EXPECT_EQ(layout.width, 0);
  EXPECT_EQ(layout.height, 0);
}

TEST(GraphLayoutTest, AChainStandsInOneColumn) {
  GraphLayout layout = layOut({{40, 10}, {80, 20}, {20, 10}}, {{0, 1}, {1, 2}});
  EXPECT_EQ(layout.layers, (std::vector<unsigned>{0, 1, 2}));
  EXPECT_EQ(layout.width, 80);
  for (const std::vector<GraphPoint> &points : layout.arrows)
    EXPECT_EQ(points.front().x, points.back().x);
}

TEST(GraphLayoutTest, ALongArrowIsStraight) {
  // 0 -> 1 -> 2 -> 3 and 0 -> 3.
  GraphLayout layout = layOut({{40, 10}, {40, 10}, {40, 10}, {40, 10}},
                              {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  const std::vector<GraphPoint> &points = layout.arrows[3];
  ASSERT_EQ(points.size(), 6u); // two points in each layer between
  EXPECT_EQ(points[1].x, points[4].x);
}

TEST(GraphLayoutTest, CrossingsAreUntangled) {
  // The order of the boxes would make the two arrows cross.
  GraphLayout layout =
      layOut({{10, 10}, {10, 10}, {10, 10}, {10, 10}}, {{0, 3}, {1, 2}});
  EXPECT_EQ(layout.boxes[0].x < layout.boxes[1].x,
            layout.boxes[3].x < layout.boxes[2].x);
}

TEST(GraphLayoutTest, WhatIsNeededLateStandsLow) {
  // 0 -> 1 -> 2 -> 3, 4 -> 5 -> 3: the second path is shorter.
  GraphLayout layout =
      layOut(Boxes(6, {10, 10}), {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 3}});
  EXPECT_EQ(layout.layers[5], 2u);
  EXPECT_EQ(layout.layers[4], 1u);
}

TEST(GraphLayoutTest, RanksHold) {
  Boxes boxes(5, {10, 10});
  boxes[3].rank = GraphRank::First;
  boxes[4].rank = GraphRank::Last;
  // 0 -> 1 -> 2; 3 -> 2 from the top; 0 -> 4 to the bottom.
  GraphLayout layout = layOut(boxes, {{0, 1}, {1, 2}, {3, 2}, {0, 4}});
  EXPECT_EQ(layout.layers[3], 0u);
  EXPECT_EQ(layout.layers[4], 2u);
}

TEST(GraphLayoutTest, ArrowsThatCloseACycleAreLeftOut) {
  GraphLayout layout =
      layOut(Boxes(3, {10, 10}), {{0, 1}, {1, 2}, {2, 0}, {1, 1}, {2, 1}});
  EXPECT_FALSE(layout.arrows[0].empty());
  EXPECT_FALSE(layout.arrows[1].empty());
  for (unsigned i : {2, 3, 4})
    EXPECT_TRUE(layout.arrows[i].empty()) << i;
}

TEST(GraphLayoutTest, RandomGraphsHaveNoOverlaps) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    auto draw = [&](unsigned n) { return unsigned(random() % n); };
    Boxes boxes(1 + draw(40));
    for (GraphBox &box : boxes)
      box = {double(draw(100)), double(draw(40))};
    Arrows arrows;
    // Some graphs have cycles, repeated arrows and loops.
    bool isOrdered = draw(4) != 0;
    for (unsigned i = draw(90); i > 0; --i) {
      unsigned from = draw(boxes.size()), to = draw(boxes.size());
      if (isOrdered && from >= to)
        continue;
      arrows.push_back({from, to});
    }
    GraphLayout layout = layOut(boxes, arrows);
    GraphLayout again = layOutGraph(boxes, arrows);
    for (size_t i = 0; i < boxes.size(); ++i)
      EXPECT_EQ(layout.boxes[i].x, again.boxes[i].x);
    if (isOrdered)
      for (const std::vector<GraphPoint> &points : layout.arrows)
        EXPECT_FALSE(points.empty());
    if (testing::Test::HasFailure())
      return;
  }
}
