//===- Distributions.h - Random blobs from uniform numbers ------*- C++ -*-===//
//
// Every distribution is a function of one uniform number in (0, 1) for each
// element, so that an element's value depends on seed, variable and index only
// and no two elements wait for each other.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_INITIALIZER_DISTRIBUTIONS_H
#define JOBDIALECT_LIB_TRANSFORMS_INITIALIZER_DISTRIBUTIONS_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// Builds the random values of one variable.
class RandomBuilder {
public:
  /// `id` is the parameter of InitializerAttrInterface.
  RandomBuilder(OpBuilder &builder, Location loc, BlobType type, Value seed,
                int64_t id)
      : builder(builder), loc(loc), type(type), seed(seed), id(id) {}

  // Each returns null after an error: the type is not one of the
  // distribution's.

  /// Floats between `min` and `max`; integers from `min` to `max`, both
  /// included.
  Value uniform(double min, double max);
  Value normal(double mean, double stddev);
  /// Cut off two standard deviations from the mean.
  Value truncatedNormal(double mean, double stddev);

private:
  Value uniformIntegers(double min, double max);
  /// Uniform numbers in (0, 1).
  Value unitUniform(BlobType floatType);
  /// The blob in which numbers are computed.
  BlobType wideType();
  /// Uniform numbers in (-1, 1), exact.
  Value symmetricUniform();
  /// `value * factor + offset`.
  Value scale(Value value, double factor, double offset);
  LogicalResult expectFloats(StringRef distribution);

  template <typename OpTy, typename... Args> Value create(Args &&...args) {
    return builder.createOrFold<OpTy>(loc, std::forward<Args>(args)...);
  }

  OpBuilder &builder;
  Location loc;
  BlobType type;
  Value seed;
  int64_t id;
};

/// Fails with an error at `loc` unless `element` holds `value`: an integer type
/// exactly, one of floats rounded, but a finite number as a finite one.
LogicalResult verifyIsHeld(Location loc, Type element, double value);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_INITIALIZER_DISTRIBUTIONS_H
