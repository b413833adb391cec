//===- Interfaces.h - What ops and attributes answer ------------*- C++ -*-===//
//
// The interfaces of the job dialect and the plain types that they speak of.
// Their models are external (MLIR's attachInterface), so that an op's gradient,
// kernel and reference stand in the library that needs them.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_INTERFACES_INTERFACES_H
#define JOBDIALECT_INTERFACES_INTERFACES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include <variant>

namespace mlir::job {

class BlobType;
class ReferenceTensor;
class UpdateContext;

/// A call of a library function, as the plan and the artifact name it.
struct LibraryCall {
  using ConfigValue = std::variant<int64_t, double>;

  /// For example "onednn.matmul".
  std::string callee;
  /// Parameters by name; fractions are finite.
  SmallVector<std::pair<std::string, ConfigValue>> config;
  /// Number of parts that may run at once; depends on shapes only.
  int64_t chunks = 1;
  /// Bytes of scratch that the call may use; 0 for none.
  int64_t workspaceBytes = 0;
  /// Floating-point operations of all parts, for reports.
  int64_t flops = 0;
};

/// Where the elements of a result lie in an operand (StridedReadOpInterface),
/// in elements of the operand; a stride along each dimension of the result, 0
/// where elements repeat.
struct StridedRead {
  int64_t offset = 0;
  SmallVector<int64_t> strides;
};

} // namespace mlir::job

#include "JobDialect/Interfaces/InitializerAttrInterface.h.inc"
#include "JobDialect/Interfaces/OptimizerAttrInterfaces.h.inc"

#include "JobDialect/Interfaces/DecomposableOpInterface.h.inc"
#include "JobDialect/Interfaces/DifferentiableOpInterface.h.inc"
#include "JobDialect/Interfaces/KernelOpInterfaces.h.inc"
#include "JobDialect/Interfaces/ReferenceOpInterface.h.inc"
#include "JobDialect/Interfaces/StridedReadOpInterface.h.inc"

#endif // JOBDIALECT_INTERFACES_INTERFACES_H
