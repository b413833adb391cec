//===- PrecisionTraits.h - Types that ops may compute in --------*- C++ -*-===//
//
// What `job-precision` does with the f32 operands and results of an op. The
// traits stand with the op's definition; docs/generated/JobPrecision.md lists
// the ops of each.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_PRECISIONTRAITS_H
#define JOBDIALECT_IR_PRECISIONTRAITS_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::job {

/// The op is worth a conversion of its operands: it does many operations for
/// each element, sums of products that accumulate in f32.
template <typename ConcreteType>
class AllowsNarrowTypes
    : public OpTrait::TraitBase<ConcreteType, AllowsNarrowTypes> {};

/// The op computes in the type that its operands are in already.
template <typename ConcreteType>
class InfersNarrowTypes
    : public OpTrait::TraitBase<ConcreteType, InfersNarrowTypes> {};

} // namespace mlir::job

#endif // JOBDIALECT_IR_PRECISIONTRAITS_H
