//===- FusionTest.cpp - Tests of groups of ops ----------------------------===//

#include "JobDialect/Support/Fusion.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace mlir::job;
using Groups = std::vector<std::vector<unsigned>>;

namespace {

/// Builds problems op by op.
class Builder {
public:
  /// Returns the op's number.
  unsigned add(FusionRole role, std::vector<unsigned> operands,
               unsigned domain = 0) {
    FusionOp &op = problem.ops.emplace_back();
    op.role = role;
    op.domain = domain;
    op.bytes = 4096;
    for (unsigned operand : operands)
      op.operands.push_back({operand, /*blob=*/operand});
    return problem.ops.size() - 1;
  }
  unsigned scalar(std::vector<unsigned> operands, unsigned domain = 0) {
    return add(FusionRole::Scalar, operands, domain);
  }
  unsigned mask(std::vector<unsigned> operands, unsigned domain = 0) {
    unsigned op = scalar(operands, domain);
    problem.ops[op].duplication = Duplication::AtUse;
    return op;
  }
  unsigned cheap(std::vector<unsigned> operands) {
    unsigned op = scalar(operands);
    problem.ops[op].duplication = Duplication::FromMemory;
    return op;
  }
  /// With rows that are too long for anything to follow in the same kernel.
  unsigned reduce(unsigned operand, unsigned axes, unsigned rows = 1) {
    unsigned op =
        add(FusionRole::Reduction, {operand}, problem.ops[operand].domain);
    problem.ops[op].axes = problem.ops[op].allAxes = axes;
    problem.ops[op].rows = rows;
    return op;
  }
  unsigned reduceShort(unsigned operand, unsigned axes, unsigned rows = 1) {
    unsigned op = reduce(operand, axes, rows);
    problem.ops[op].numRows = 100;
    problem.ops[op].rowBytes = 1000;
    return op;
  }
  unsigned broadcast(unsigned operand, unsigned axes, unsigned rows = 1) {
    unsigned op = access({operand});
    problem.ops[op].axes = axes;
    problem.ops[op].rows = rows;
    return op;
  }
  unsigned access(std::vector<unsigned> operands, unsigned domain = 0) {
    return add(FusionRole::Access, operands, domain);
  }
  unsigned call(std::vector<unsigned> operands) {
    return add(FusionRole::Outside, operands);
  }

  FusionPlan plan(bool fuse = true) { return planFusion(problem, fuse); }
  /// The ops of the kernels.
  Groups getKernels(bool fuse = true) {
    Groups kernels;
    for (const FusionGroup &group : plan(fuse).groups)
      if (group.isKernel)
        kernels.emplace_back(group.ops.begin(), group.ops.end());
    return kernels;
  }

  FusionProblem problem;
};

} // namespace

/// Checks that the ops of a group have one domain, or are on its rows.
static void checkDomain(const FusionProblem &problem,
                        const FusionGroup &group) {
  const FusionOp *reduction = nullptr;
  for (unsigned op : group.ops)
    if (problem.ops[op].role == FusionRole::Reduction)
      reduction = &problem.ops[op];
  for (unsigned number : group.ops) {
    const FusionOp &op = problem.ops[number];
    if (reduction && op.role == FusionRole::Reduction) {
      EXPECT_EQ(op.allAxes, reduction->allAxes);
      EXPECT_EQ(op.domain, reduction->domain);
    } else if (reduction) {
      EXPECT_TRUE(op.domain == reduction->domain ||
                  op.domain == reduction->rows);
    } else {
      EXPECT_EQ(op.domain, problem.ops[group.ops.front()].domain);
    }
  }
  if (!reduction)
    return;
  // Whether an op needs a number of a row, directly or broadcast.
  auto isOfRows = [&](const FusionOp::Operand &operand) {
    return operand.producer &&
           llvm::is_contained(group.ops, *operand.producer) &&
           (problem.ops[*operand.producer].role == FusionRole::Reduction ||
            problem.ops[*operand.producer].domain != reduction->domain);
  };
  auto goesOverRowsAgain = [&](unsigned op) {
    return llvm::any_of(
        problem.ops[op].operands, [&](const FusionOp::Operand &operand) {
          return isOfRows(operand) ||
                 (operand.producer &&
                  problem.ops[*operand.producer].role == FusionRole::Access &&
                  llvm::any_of(problem.ops[*operand.producer].operands,
                               isOfRows));
        });
  };
  if (llvm::any_of(group.ops, goesOverRowsAgain)) {
    EXPECT_TRUE(llvm::none_of(
        group.ops, [&](unsigned op) { return problem.ops[op].overwrites; }));
  }
}

/// Checks that an access in a kernel that reads one of the kernel's own results
/// broadcasts numbers of rows along the rows: elements at other indices may not
/// have been computed yet.
static void checkAccess(const FusionProblem &problem, const FusionGroup &group,
                        const FusionOp &access) {
  bool readsInside =
      llvm::any_of(access.operands, [&](const FusionOp::Operand &operand) {
        return operand.producer &&
               llvm::is_contained(group.ops, *operand.producer);
      });
  if (!readsInside)
    return;
  EXPECT_TRUE(llvm::any_of(group.ops, [&](unsigned op) {
    const FusionOp &member = problem.ops[op];
    return (member.role == FusionRole::Reduction || member.goesOverRows) &&
           member.axes == access.axes && member.domain == access.domain &&
           member.rows == access.rows;
  }));
}

/// Checks what holds for each plan: groups run after those that make what they
/// read, and every op that ends something or is read from memory is made once.
static void check(const FusionProblem &problem, const FusionPlan &plan) {
  ASSERT_EQ(plan.groupOf.size(), problem.ops.size());
  std::vector<unsigned> numUsers(problem.ops.size(), 0);
  for (auto [index, group] : llvm::enumerate(plan.groups)) {
    ASSERT_FALSE(group.ops.empty());
    ASSERT_TRUE(llvm::is_sorted(group.ops));
    ASSERT_TRUE(group.isKernel || group.ops.size() == 1);
    auto isCopied = [&](unsigned producer, unsigned user) {
      return problem.ops[user].isFusible() &&
             problem.ops[producer].role == FusionRole::Access;
    };
    auto checkNeeded = [&](unsigned needed) {
      if (llvm::is_contained(group.ops, needed))
        return;
      ASSERT_TRUE(plan.groupOf[needed].has_value());
      ASSERT_LT(*plan.groupOf[needed], index);
      ++numUsers[needed];
    };
    for (unsigned op : group.ops) {
      for (unsigned other : problem.ops[op].after)
        checkNeeded(other);
      for (const FusionOp::Operand &operand : problem.ops[op].operands)
        if (operand.producer && isCopied(*operand.producer, op)) {
          checkAccess(problem, group, problem.ops[*operand.producer]);
          for (auto &inner : problem.ops[*operand.producer].operands)
            if (inner.producer)
              checkNeeded(*inner.producer);
        } else if (operand.producer) {
          checkNeeded(*operand.producer);
        }
      if (group.ops.size() > 1) {
        EXPECT_TRUE(problem.ops[op].isFusible() ||
                    problem.ops[op].goesOverRows);
      }
      checkDomain(problem, group);
    }
  }
  for (auto [op, group] : llvm::enumerate(plan.groupOf)) {
    if (group) {
      EXPECT_TRUE(llvm::is_contained(plan.groups[*group].ops, op));
    }
    EXPECT_TRUE(group || numUsers[op] == 0);
  }
  EXPECT_EQ(plan.groups.back().ops.back(), problem.ops.size() - 1);
}

TEST(FusionTest, ConversionsAreInTheKernelOfAnOpByItself) {
  Builder b;
  unsigned product = b.call({});
  unsigned wide = b.cheap({product});
  unsigned rows = b.add(FusionRole::Alone, {wide});
  unsigned gradient = b.add(FusionRole::Alone, {wide});
  unsigned narrow = b.scalar({gradient});
  b.call({rows, narrow});
  // Loops of its own.
  EXPECT_EQ(b.getKernels(), Groups({{wide}, {rows}, {gradient}, {narrow}}));
  b.problem.ops[rows].goesOverRows = true;
  b.problem.ops[gradient].goesOverRows = true;
  EXPECT_EQ(b.getKernels(), Groups({{wide, rows}, {wide, gradient, narrow}}));
  EXPECT_EQ(b.getKernels(/*fuse=*/false),
            Groups({{wide}, {rows}, {gradient}, {narrow}}));
  // Of another shape.
  b.problem.ops[rows].domain = 1;
  EXPECT_EQ(b.getKernels(), Groups({{wide}, {rows}, {gradient, narrow}}));
}

TEST(Fusion, ChainIsOneKernel) {
  Builder b;
  unsigned x = b.call({});
  unsigned a = b.scalar({x});
  unsigned c = b.scalar({a, x});
  unsigned r = b.reduce(c, /*axes=*/1);
  b.call({r});
  EXPECT_EQ(b.getKernels(), Groups({{a, c, r}}));
  EXPECT_EQ(b.getKernels(/*fuse=*/false), Groups({{a}, {c}, {r}}));
}

TEST(Fusion, KernelsHaveOneDomainAndOneSetOfReducedAxes) {
  Builder b;
  unsigned x = b.scalar({});
  unsigned other = b.scalar({x}, /*domain=*/1);
  unsigned rows = b.reduce(x, /*axes=*/1);
  unsigned columns = b.reduce(x, /*axes=*/2);
  b.call({other, rows, columns});
  EXPECT_EQ(b.getKernels(), Groups({{x, rows}, {other}, {columns}}));
}

TEST(Fusion, ReductionsDifferByAxesOfOneElement) {
  Builder b;
  unsigned x = b.scalar({});
  unsigned first = b.reduce(x, /*axes=*/1);
  unsigned second = b.reduce(x, /*axes=*/1);
  b.call({first, second});
  EXPECT_EQ(b.getKernels(), Groups({{x, first, second}}));
  b.problem.ops[second].allAxes = 2;
  EXPECT_EQ(b.getKernels(), Groups({{x, first}, {second}}));
}

TEST(Fusion, PathsThroughOthersKeepOpsApart) {
  Builder b;
  unsigned x = b.scalar({});
  unsigned y = b.call({x});
  unsigned z = b.scalar({x, y});
  b.call({z});
  EXPECT_EQ(b.getKernels(), Groups({{x}, {z}}));
  FusionPlan plan = b.plan();
  FusionObstacle obstacle =
      findFusionObstacle(b.problem, plan, *plan.groupOf[x], *plan.groupOf[z]);
  EXPECT_EQ(obstacle.kind, FusionObstacle::Path);
  EXPECT_EQ(obstacle.through, y);
}

TEST(Fusion, PathsThroughJoinedUnitsAreFound) {
  // a and d may join, b and c as well, but not both.
  Builder b;
  unsigned a = b.scalar({}, /*domain=*/0);
  unsigned u = b.scalar({a}, /*domain=*/1);
  unsigned c = b.scalar({}, /*domain=*/1);
  unsigned v = b.scalar({c, u}, /*domain=*/1);
  unsigned d = b.scalar({a, c}, /*domain=*/0);
  b.call({v, d});
  EXPECT_EQ(b.getKernels(), Groups({{a}, {u, c, v}, {d}}));
}

TEST(Fusion, MasksAreComputedByTheirUsers) {
  Builder b;
  unsigned x = b.call({});
  unsigned m = b.mask({x});
  unsigned p = b.scalar({m, x});
  unsigned y = b.call({p});
  unsigned q = b.scalar({m, y});
  b.call({q});
  EXPECT_EQ(b.getKernels(), Groups({{m, p}, {m, q}}));
  EXPECT_FALSE(b.plan().groupOf[m].has_value());
  EXPECT_EQ(b.getKernels(/*fuse=*/false), Groups({{m}, {p}, {q}}));
}

TEST(Fusion, MasksInMemoryAreComputedOnce) {
  Builder b;
  unsigned x = b.call({});
  unsigned m = b.mask({x});
  unsigned p = b.scalar({m, x});
  unsigned y = b.call({m, p});
  b.call({m, y});
  EXPECT_EQ(b.getKernels(), Groups({{m}, {m, p}}));
}

TEST(Fusion, MasksThatAreAccessedAreNotCopied) {
  // A transpose of the mask needs elements that a copy does not have yet.
  Builder b;
  unsigned x = b.call({});
  unsigned m = b.mask({x});
  unsigned p = b.scalar({m, x});
  unsigned q = b.scalar({b.access({m}), p});
  b.call({q});
  EXPECT_EQ(b.getKernels(), Groups({{m, p}, {q}}));
  EXPECT_EQ(b.plan().groupOf[m], b.plan().groupOf[p]);
}

TEST(Fusion, MasksOfRowsAreBroadcastInTheirKernel) {
  Builder b;
  unsigned x = b.call({});
  unsigned sum = b.reduceShort(b.scalar({x}), /*axes=*/1);
  unsigned m = b.mask({sum}, /*domain=*/1);
  unsigned factor = b.scalar({m, sum}, /*domain=*/1);
  unsigned y = b.scalar({x, b.broadcast(m, /*axes=*/1)});
  b.call({factor, y});
  EXPECT_EQ(b.getKernels(), Groups({{1, sum, m, factor, y}}));
}

TEST(Fusion, CheapValuesAreCopiedToTheirUsers) {
  Builder b;
  unsigned x = b.call({});
  unsigned c = b.access({});
  unsigned s = b.cheap({x, c});
  unsigned rows = b.reduce(s, /*axes=*/1);
  unsigned columns = b.reduce(s, /*axes=*/2);
  b.call({rows, columns});
  EXPECT_EQ(b.getKernels(), Groups({{s, rows}, {s, columns}}));
  // One that a call reads is in memory in any case.
  b.problem.ops.back().operands.push_back({s, /*blob=*/s});
  EXPECT_EQ(b.getKernels(), Groups({{s, rows}, {columns}}));
}

TEST(Fusion, CheapValuesOfVariablesAreNotCopied) {
  Builder b;
  unsigned x = b.call({});
  unsigned s = b.cheap({x});
  b.problem.ops[s].operands[0].isVariable = true;
  unsigned rows = b.reduce(s, /*axes=*/1);
  unsigned columns = b.reduce(s, /*axes=*/2);
  b.call({rows, columns});
  EXPECT_EQ(b.getKernels(), Groups({{s, rows}, {columns}}));
}

TEST(Fusion, SlopesMoveToTheirOnlyUser) {
  Builder b;
  unsigned x = b.call({});
  unsigned y = b.scalar({x});
  unsigned slope = b.scalar({y});
  unsigned z = b.call({y});
  unsigned g = b.scalar({z, slope});
  b.call({g});
  EXPECT_EQ(b.getKernels(), Groups({{y}, {slope, g}}));
}

TEST(Fusion, SlopesMoveWithAConversionOfWhatIsInMemory) {
  // What the kernel reads is kept, not the slope.
  Builder b;
  unsigned x = b.call({});
  unsigned wide = b.cheap({x});
  unsigned y = b.scalar({wide});
  unsigned slope = b.scalar({wide});
  unsigned z = b.call({y});
  unsigned g = b.scalar({z, slope});
  b.call({g});
  EXPECT_EQ(b.getKernels(), Groups({{wide, y}, {wide, slope, g}}));
  // It would take more memory than the slope.
  b.problem.ops[wide].bytes = 8192;
  EXPECT_EQ(b.getKernels(), Groups({{wide, y, slope}, {g}}));
}

TEST(Fusion, PartsOfACallAreAKernelOfTheirOwn) {
  Builder b;
  unsigned product = b.call({});
  unsigned sum = b.scalar({product, b.access({b.call({})})});
  unsigned relu = b.scalar({sum});
  unsigned next = b.scalar({relu});
  b.call({next});
  EXPECT_EQ(b.getKernels(), Groups({{sum, relu, next}}));
  b.problem.ops[sum].fixedKernel = b.problem.ops[relu].fixedKernel = 7;
  EXPECT_EQ(b.getKernels(), Groups({{sum, relu}, {next}}));
  FusionPlan plan = b.plan();
  EXPECT_EQ(findFusionObstacle(b.problem, plan, *plan.groupOf[relu],
                               *plan.groupOf[next])
                .kind,
            FusionObstacle::Fixed);
}

namespace {
/// Builds problems of a GPU, with ops that go over rows.
class RowsBuilder : public Builder {
public:
  RowsBuilder() { problem.costs = kCUDACosts; }
  unsigned rows(std::vector<unsigned> operands, unsigned axes = 1) {
    unsigned op = add(FusionRole::Alone, operands);
    problem.ops[op].goesOverRows = true;
    problem.ops[op].axes = problem.ops[op].allAxes = axes;
    problem.ops[op].numRows = 1000;
    problem.ops[op].rowBytes = 1000;
    return op;
  }
};
} // namespace

TEST(Fusion, OpsAroundRowsJoinThemOnAGPU) {
  RowsBuilder b;
  unsigned x = b.call({}), y = b.call({});
  unsigned sum = b.scalar({x, y});
  unsigned norm = b.rows({sum});
  unsigned scaled = b.scalar({norm, x});
  unsigned next = b.call({scaled});
  b.call({next, sum});
  EXPECT_EQ(b.getKernels(), Groups({{sum, norm, scaled}}));
  // Rows that no cache holds.
  b.problem.ops[norm].rowBytes = 1 << 20;
  EXPECT_EQ(b.getKernels(), Groups({{sum}, {norm}, {scaled}}));
  b.problem.ops[norm].rowBytes = 1000;
  // Updates in place, and other shapes.
  b.problem.ops[scaled].overwrites = true;
  EXPECT_EQ(b.getKernels(), Groups({{sum, norm}, {scaled}}));
  b.problem.ops[scaled].overwrites = false;
  b.problem.ops[sum].domain = 1;
  EXPECT_EQ(b.getKernels(), Groups({{sum}, {norm, scaled}}));
  b.problem.ops[sum].domain = 0;
  // A kernel starts fast.
  b.problem.costs = kCPUCosts;
  EXPECT_EQ(b.getKernels(), Groups({{sum}, {norm}, {scaled}}));
}

TEST(Fusion, OpsAroundRowsWithAPathBetweenAreApart) {
  RowsBuilder b;
  unsigned x = b.call({});
  unsigned norm = b.rows({x});
  unsigned other = b.call({norm});
  unsigned sum = b.scalar({norm, other});
  b.call({sum});
  EXPECT_EQ(b.getKernels(), Groups({{norm}, {sum}}));
}

TEST(Fusion, OpsThatGoOverTheSameRowsAreOneKernelOnAGPU) {
  RowsBuilder b;
  unsigned x = b.call({});
  unsigned loss = b.rows({x}), gradient = b.rows({x});
  b.call({loss, gradient});
  b.problem.ops[loss].rowBytes = b.problem.ops[gradient].rowBytes = 1 << 20;
  EXPECT_EQ(b.getKernels(), Groups({{loss, gradient}}));
  b.problem.ops[loss].allAxes = 2;
  EXPECT_EQ(b.getKernels(), Groups({{loss}, {gradient}}));
  b.problem.ops[loss].allAxes = 1;
  // One needs the other.
  b.problem.ops[gradient].operands.push_back({loss, /*blob=*/loss});
  EXPECT_EQ(b.getKernels(), Groups({{loss}, {gradient}}));
}

TEST(Fusion, AccessesInMemoryAreKernels) {
  Builder b;
  unsigned x = b.call({});
  unsigned read = b.access({x});
  b.problem.ops[read].isWorthKernel = true;
  unsigned y = b.scalar({read});
  b.call({y});
  EXPECT_EQ(b.getKernels(), Groups({{y}}));
  b.problem.ops.back().operands.push_back({read, /*blob=*/read});
  EXPECT_EQ(b.getKernels(), Groups({{read}, {y}}));
}

TEST(Fusion, RowsAreReadAgainInOneKernel) {
  // A softmax: x - max(x), exp, division by the sum.
  Builder b;
  unsigned x = b.call({});
  unsigned max = b.reduceShort(b.scalar({x}), /*axes=*/1);
  unsigned shifted = b.scalar({x, b.broadcast(max, /*axes=*/1)});
  unsigned sum = b.reduceShort(shifted, /*axes=*/1);
  unsigned factor = b.scalar({sum}, /*domain=*/1);
  unsigned y = b.scalar({shifted, b.broadcast(factor, /*axes=*/1)});
  b.call({y});
  EXPECT_EQ(b.getKernels(), Groups({{1, max, shifted, sum, factor, y}}));
}

TEST(Fusion, LongRowsAreNotReadAgain) {
  Builder b;
  unsigned x = b.call({});
  unsigned max = b.reduce(b.scalar({x}), /*axes=*/1);
  unsigned shifted = b.scalar({x, b.broadcast(max, /*axes=*/1)});
  b.call({shifted});
  EXPECT_EQ(b.getKernels(), Groups({{1, max}, {shifted}}));
  FusionPlan plan = b.plan();
  EXPECT_EQ(findFusionObstacle(b.problem, plan, *plan.groupOf[max],
                               *plan.groupOf[shifted])
                .kind,
            FusionObstacle::NeedsReduction);
  // Few rows are not either, if they are long enough to be worth several cores.
  b.problem.ops[max].numRows = 63;
  b.problem.ops[max].rowBytes = 100000;
  EXPECT_EQ(b.getKernels().size(), 2u);
  b.problem.ops[max].numRows = 64;
  EXPECT_EQ(b.getKernels().size(), 1u);
  // The target says how many cores there are, and what stays in a cache.
  b.problem.costs.cores = 65;
  EXPECT_EQ(b.getKernels().size(), 2u);
  b.problem.costs = kCPUCosts;
  b.problem.costs.cachedBytes = 99999;
  EXPECT_EQ(b.getKernels().size(), 2u);
}

TEST(Fusion, UpdatesAreNotWhereRowsAreReadAgain) {
  // Along the rows, and of the numbers of rows.
  Builder b;
  unsigned x = b.call({});
  unsigned sum = b.reduceShort(b.scalar({x}), /*axes=*/1);
  unsigned scaled = b.scalar({x, b.broadcast(sum, /*axes=*/1)});
  unsigned total = b.scalar({sum}, /*domain=*/1);
  b.call({scaled, total});
  EXPECT_EQ(b.getKernels(), Groups({{1, sum, scaled, total}}));
  b.problem.ops[scaled].overwrites = true;
  EXPECT_EQ(b.getKernels(), Groups({{1, sum, total}, {scaled}}));
  FusionPlan plan = b.plan();
  EXPECT_EQ(findFusionObstacle(b.problem, plan, *plan.groupOf[sum],
                               *plan.groupOf[scaled])
                .kind,
            FusionObstacle::Overwrites);
  b.problem.ops[total].overwrites = true;
  EXPECT_EQ(b.getKernels(), Groups({{1, sum}, {scaled}, {total}}));
  // What only makes the reduction may.
  b.problem.ops[1].overwrites = true;
  EXPECT_EQ(b.getKernels(), Groups({{1, sum}, {scaled}, {total}}));
  b.problem.ops[scaled].overwrites = b.problem.ops[total].overwrites = false;
  EXPECT_EQ(b.getKernels(), Groups({{1, sum}, {scaled}, {total}}));
}

TEST(Fusion, OtherAccessesOfRowsKeepOpsApart) {
  // Along other axes than those that are reduced.
  Builder b;
  unsigned sum = b.reduceShort(b.scalar({}), /*axes=*/1);
  unsigned other = b.broadcast(sum, /*axes=*/2);
  b.call({b.scalar({0, other})});
  EXPECT_EQ(b.getKernels(), Groups({{0, sum}, {3}}));
  FusionPlan plan = b.plan();
  FusionObstacle obstacle =
      findFusionObstacle(b.problem, plan, *plan.groupOf[0], *plan.groupOf[3]);
  EXPECT_EQ(obstacle.kind, FusionObstacle::Path);
  EXPECT_EQ(obstacle.through, other);
}

TEST(Fusion, BroadcastRowsOutsideOfTheKernelComeAfterIt) {
  Builder b;
  unsigned sum = b.reduceShort(b.scalar({}), /*axes=*/1);
  unsigned rows = b.broadcast(sum, /*axes=*/1);
  b.problem.ops[rows].isWorthKernel = true;
  unsigned y = b.scalar({0, rows});
  unsigned z = b.call({rows});
  b.call({b.scalar({y, z})});
  EXPECT_EQ(b.getKernels(), Groups({{0, sum, y}, {rows}, {5}}));
}

TEST(Fusion, ReductionsOfTheSameBlobAreOneKernel) {
  Builder b;
  unsigned x = b.call({}), dy = b.call({x});
  unsigned bias = b.reduce(dy, /*axes=*/1);
  unsigned product = b.scalar({dy, x});
  unsigned scale = b.reduce(product, /*axes=*/1);
  unsigned rows = b.reduce(dy, /*axes=*/2);
  b.call({bias, scale, rows});
  EXPECT_EQ(b.getKernels(), Groups({{bias, product, scale}, {rows}}));
}

TEST(Fusion, ReductionsThatReadMoreEachAreApart) {
  Builder b;
  unsigned x = b.call({}), y = b.call({}), dy = b.call({x});
  unsigned productX = b.scalar({dy, x}), sumX = b.reduce(productX, /*axes=*/1);
  unsigned productY = b.scalar({dy, y}), sumY = b.reduce(productY, /*axes=*/1);
  b.call({sumX, sumY});
  EXPECT_EQ(b.getKernels(), Groups({{productX, sumX}, {productY, sumY}}));
}

TEST(Fusion, ReductionsWithAPathBetweenAreApart) {
  Builder b;
  unsigned x = b.call({});
  unsigned sum = b.reduce(x, /*axes=*/1);
  unsigned mean = b.call({sum});
  unsigned deviation = b.scalar({x, b.broadcast(mean, /*axes=*/1)});
  unsigned square = b.reduce(deviation, /*axes=*/1);
  b.call({square});
  EXPECT_EQ(b.getKernels(), Groups({{sum}, {deviation, square}}));
}

TEST(Fusion, AKernelOfSiblingsHasFourReductions) {
  Builder b;
  unsigned x = b.call({});
  std::vector<unsigned> sums;
  for (int i = 0; i < 6; ++i)
    sums.push_back(b.reduce(x, /*axes=*/1));
  b.call(sums);
  EXPECT_EQ(b.getKernels(),
            Groups({{sums[0], sums[1], sums[2], sums[3]}, {sums[4], sums[5]}}));
}

TEST(Fusion, SmallKernelsThatWaitForTheSameJoin) {
  Builder b;
  auto small = [&](std::vector<unsigned> operands) {
    unsigned op = b.scalar(operands);
    b.problem.ops[op].bytes = 4;
    return op;
  };
  unsigned x = b.call({}), y = b.call({});
  unsigned p = small({x}), q = small({y});
  unsigned z = b.call({p});
  unsigned late = small({z}), later = small({z});
  b.call({q, late, later});
  EXPECT_EQ(b.getKernels(), Groups({{p, q}, {late, later}}));
  b.problem.ops[q].bytes = 4096;
  EXPECT_EQ(b.getKernels(), Groups({{p}, {q}, {late, later}}));
}

TEST(Fusion, SmallKernelsJoinTheOneWithMoreRoom) {
  Builder b;
  auto makeKernel = [&](int size) {
    unsigned op = b.call({});
    std::vector<unsigned> kernel;
    for (int i = 0; i < size; ++i) {
      op = b.scalar({op});
      b.problem.ops[op].bytes = 4;
      kernel.push_back(op);
    }
    return kernel;
  };
  std::vector<unsigned> first = makeKernel(10), full = makeKernel(120),
                        second = makeKernel(10);
  b.call({first.back(), full.back(), second.back()});
  llvm::append_range(first, second);
  EXPECT_EQ(b.getKernels(), Groups({full, first}));
}

TEST(Fusion, OrderOfOpsIsKept) {
  Builder b;
  unsigned read = b.call({});
  unsigned assign = b.call({});
  b.problem.ops[assign].after.push_back(read);
  unsigned again = b.call({});
  b.problem.ops[again].after.push_back(assign);
  b.call({});
  FusionPlan plan = b.plan();
  EXPECT_LT(*plan.groupOf[read], *plan.groupOf[assign]);
  EXPECT_LT(*plan.groupOf[assign], *plan.groupOf[again]);
}

/// A random problem with all roles.
static FusionProblem makeRandomProblem(std::mt19937 &random, unsigned size) {
  auto draw = [&](unsigned limit) {
    return static_cast<unsigned>(random() % limit);
  };
  Builder b;
  for (unsigned number = 0; number < size; ++number) {
    std::vector<unsigned> operands;
    for (unsigned count = number ? 1 + draw(3) : 0; count > 0; --count)
      operands.push_back(number - 1 - draw(std::min(number, 20u)));
    unsigned kind = draw(20), domain = draw(3);
    FusionRole role = kind < 11   ? FusionRole::Scalar
                      : kind < 13 ? FusionRole::Reduction
                      : kind < 16 ? FusionRole::Access
                      : kind < 19 ? FusionRole::Outside
                                  : FusionRole::Alone;
    if (role == FusionRole::Reduction || role == FusionRole::Access)
      operands.resize(std::min<size_t>(operands.size(), 1));
    // Only ops of the domain use numbers of another shape, one for all.
    if (role == FusionRole::Scalar &&
        llvm::any_of(operands, [&](unsigned operand) {
          return b.problem.ops[operand].role == FusionRole::Scalar &&
                 b.problem.ops[operand].domain != domain;
        }))
      domain = 0;
    FusionOp &op = b.problem.ops[b.add(role, operands, domain)];
    if (role == FusionRole::Reduction ||
        (role == FusionRole::Access && draw(3))) {
      op.axes = draw(2);
      op.rows = 2 - *op.axes;
      op.allAxes = *op.axes + 2 * (draw(4) == 0);
      op.domain = 0;
    }
    if (role == FusionRole::Reduction && draw(4)) {
      op.numRows = 100;
      op.rowBytes = 1000;
    }
    if (role == FusionRole::Alone && draw(2)) {
      op.goesOverRows = true;
      op.domain = 0;
      op.axes = op.allAxes = draw(2);
      op.numRows = 100;
      op.rowBytes = 1000;
    }
    op.bytes = draw(2) ? 4 : 4096;
    op.isWorthKernel = draw(2);
    for (FusionOp::Operand &operand : op.operands)
      operand.isVariable = draw(8) == 0;
    op.overwrites = role == FusionRole::Scalar && draw(8) == 0;
    if (role == FusionRole::Scalar && !op.overwrites && draw(3) == 0)
      op.duplication = draw(2) ? Duplication::AtUse : Duplication::FromMemory;
    if (role == FusionRole::Scalar && op.duplication != Duplication::AtUse &&
        draw(16) == 0)
      op.fixedKernel = number / 4;
  }
  b.call({size - 1});
  if (draw(2))
    b.problem.costs = kCUDACosts;
  return std::move(b.problem);
}

TEST(Fusion, RandomPlansAreValid) {
  for (unsigned seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    FusionProblem problem = makeRandomProblem(random, 2 + seed % 60);
    for (bool fuse : {false, true}) {
      FusionPlan plan = planFusion(problem, fuse);
      check(problem, plan);
      for (unsigned group = 1; group < plan.groups.size(); ++group)
        findFusionObstacle(problem, plan, group - 1, group);
      if (HasFailure())
        return;
    }
  }
}

/// Layers forward and backward, with an update of each.
static FusionProblem makeLayers(unsigned count) {
  Builder b;
  unsigned x = b.call({});
  std::vector<unsigned> outputs;
  for (unsigned layer = 0; layer < count; ++layer) {
    x = b.scalar({b.scalar({b.call({x})})});
    outputs.push_back(x);
  }
  unsigned gradient = b.call({x}), rate = b.scalar({}, /*domain=*/1);
  std::vector<unsigned> updates;
  for (unsigned y : llvm::reverse(outputs)) {
    unsigned slope = b.scalar({b.mask({y}), gradient});
    unsigned step = b.scalar({rate, b.call({})}, /*domain=*/1);
    unsigned scale = b.reduce(slope, /*axes=*/1);
    unsigned bias = b.reduce(gradient, /*axes=*/1);
    updates.push_back(b.scalar({scale, bias, step}, 2));
    gradient = b.call({slope});
  }
  b.call(updates);
  return std::move(b.problem);
}

TEST(Fusion, EffortIsNearlyProportionalToSize) {
  auto countSteps = [](unsigned layers) {
    FusionProblem problem = makeLayers(layers);
    size_t steps = 0;
    check(problem, planFusion(problem, /*fuse=*/true, &steps));
    return steps;
  };
  EXPECT_LT(countSteps(4000), 20 * countSteps(400));
}

/// Kernels that read the same blobs, one after another, and a blob of their
/// own, so that none is a sibling of another: in turns, or in random order.
static FusionProblem makeStrangers(unsigned numKernels, unsigned numBlobs,
                                   bool inTurns) {
  Builder b;
  std::vector<unsigned> blobs, ends, turns;
  for (unsigned blob = 0; blob < numBlobs; ++blob)
    blobs.push_back(b.call({}));
  for (unsigned kernel = 0; kernel < numKernels; ++kernel)
    ends.push_back(b.call({}));
  std::mt19937 random(0);
  for (unsigned blob : blobs) {
    turns.resize(numKernels);
    std::iota(turns.begin(), turns.end(), 0);
    if (!inTurns)
      std::shuffle(turns.begin(), turns.end(), random);
    for (unsigned kernel : turns)
      ends[kernel] = b.scalar({ends[kernel], blob});
  }
  for (unsigned &end : ends)
    end = b.reduce(end, /*axes=*/1);
  b.call(ends);
  return std::move(b.problem);
}

TEST(Fusion, EffortForKernelsThatReadTheSameBlobs) {
  auto countSteps = [](unsigned numKernels, unsigned numBlobs, bool inTurns) {
    FusionProblem problem = makeStrangers(numKernels, numBlobs, inTurns);
    size_t steps = 0;
    FusionPlan plan = planFusion(problem, /*fuse=*/true, &steps);
    EXPECT_EQ(llvm::count_if(plan.groups, [](auto &g) { return g.isKernel; }),
              numKernels);
    return steps;
  };
  // Two long kernels, and many kernels of which nearly all pairs meet.
  EXPECT_LT(countSteps(2, 4000, /*inTurns=*/true),
            20 * countSteps(2, 400, /*inTurns=*/true));
  EXPECT_LT(countSteps(640, 160, /*inTurns=*/false),
            20 * countSteps(160, 64, /*inTurns=*/false));
}

TEST(Fusion, KernelsThatReadBlobsInTurnsJoinOtherSiblings) {
  // More blobs than the number of kernels that one is compared with.
  constexpr unsigned numBlobs = 100;
  Builder b;
  b.problem = makeStrangers(2, numBlobs, /*inTurns=*/true);
  unsigned sum = b.reduce(b.scalar({numBlobs - 1}), /*axes=*/1);
  b.call({sum});
  Groups kernels = b.getKernels();
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_TRUE(llvm::is_contained(kernels[1], sum));
}
