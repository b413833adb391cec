//===- Compare.h - Values against values ------------------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CHECKLOWERING_COMPARE_H
#define JOBDIALECT_LIB_CHECKLOWERING_COMPARE_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Reference/ReferenceTensor.h"

#include <functional>
#include <optional>
#include <string>

namespace mlir::job {

/// The first element that differs too much: "[3, 5]", or "" for a value of
/// another type, and both sides as text.
struct Difference {
  std::string element, expected, got;

  /// "expects WHAT[3, 5] = 0.5 but got 0.25".
  std::string describe(const Twine &what) const;
};

/// Compares element by element. Floats may differ by `allowed`, NaN is equal to
/// NaN; integers are equal. A double beyond f32 is an infinity there.
std::optional<Difference> findDifference(const ReferenceTensor &expected,
                                         const ReferenceTensor &got,
                                         double allowed);

/// The largest magnitude of finite elements; 0 for integers.
double getMagnitude(const ReferenceTensor &tensor);

/// The ops that compute something in an op's regions, and in the op itself when
/// it has none; the terms of the longest sum.
struct Work {
  int64_t ops = 0, terms = 1;
};
Work getWork(Operation *op);

/// Judges what is compiled.
class Judge {
public:
  /// Calls to run the reference again, with noise (see getNoiseOptions()): of
  /// each run all values, by number.
  using GetNoisyFn = std::function<LogicalResult(
      SmallVectorImpl<SmallVector<ReferenceTensor>> &)>;

  Judge(Work work, GetNoisyFn getNoisy)
      : work(work), getNoisy(std::move(getNoisy)) {}

  /// Whether the value of that number differs too much from `exact`, the
  /// reference's in double precision. `rounded` is the reference's when each op
  /// is rounded to its type: how far the two are apart says how sensitive the
  /// value is. Where terms cancel, rounding each op does not show it; before
  /// anything is called a difference, noise has to. Fails when the reference
  /// does.
  FailureOr<std::optional<Difference>> find(size_t number,
                                            const ReferenceTensor &exact,
                                            const ReferenceTensor &rounded,
                                            const ReferenceTensor &got);

private:
  double getAllowed(const ReferenceTensor &exact, double sensitivity) const;

  Work work;
  GetNoisyFn getNoisy;
  SmallVector<SmallVector<ReferenceTensor>> noisy;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CHECKLOWERING_COMPARE_H
