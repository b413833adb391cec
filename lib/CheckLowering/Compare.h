//===- Compare.h - Values against values ------------------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CHECKLOWERING_COMPARE_H
#define JOBDIALECT_LIB_CHECKLOWERING_COMPARE_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Reference/ReferenceTensor.h"

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
/// NaN; integers are equal.
std::optional<Difference> findDifference(const ReferenceTensor &expected,
                                         const ReferenceTensor &got,
                                         double allowed);

/// The largest magnitude of finite elements; 0 for integers.
double getMagnitude(const ReferenceTensor &tensor);

/// What a compiled result may differ from `exact` by, the reference's result in
/// double precision. `rounded` is the reference's when each op is rounded to
/// its type: how far the two are apart says how sensitive the result is. `ops`
/// is the number of ops that the result went through, `terms` that of the
/// longest sum among them.
double getAllowedError(const ReferenceTensor &exact,
                       const ReferenceTensor &rounded, int64_t ops,
                       int64_t terms);

/// The ops that compute something in an op's regions, and in the op itself when
/// it has none; the terms of the longest sum.
struct Work {
  int64_t ops = 0, terms = 1;
};
Work getWork(Operation *op);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CHECKLOWERING_COMPARE_H
