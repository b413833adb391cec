//===- Inference.h - Types of results --------------------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_IR_INFERENCE_H
#define JOBDIALECT_LIB_IR_INFERENCE_H

#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/Diagnostics.h"

namespace mlir::job {

/// Starts an error of an op that is not there yet.
template <typename OpTy>
auto inferenceError(MLIRContext *context, std::optional<Location> location) {
  Location loc = location.value_or(UnknownLoc::get(context));
  return [loc]() -> InFlightDiagnostic {
    return mlir::emitError(loc) << "'" << OpTy::getOperationName() << "' op ";
  };
}

/// The blob type of that shape, or an error where there is none (too many
/// elements).
inline FailureOr<BlobType>
makeBlob(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
         Type elementType) {
  if (auto type = BlobType::getChecked(emitError, shape, elementType))
    return type;
  return failure();
}

/// Calls the op's inference with an adaptor that has all attributes: those of
/// `properties`, those of `attributes` (an op that is being parsed has them
/// there) and defaults. Fails when a required one is missing or ill-formed, so
/// that an inference need not look.
template <typename OpTy>
LogicalResult inferFromAdaptor(MLIRContext *context,
                               std::optional<Location> location,
                               ValueRange operands, DictionaryAttr attributes,
                               OpaqueProperties properties, RegionRange regions,
                               SmallVectorImpl<Type> &inferredReturnTypes) {
  using Adaptor = typename OpTy::Adaptor;
  if constexpr (OpTy::hasProperties()) {
    using Properties = typename OpTy::Properties;
    Properties merged;
    if (properties)
      merged = *properties.as<Properties *>();
    if (attributes &&
        failed(OpTy::setPropertiesFromAttr(
            merged, attributes, inferenceError<OpTy>(context, location))))
      return failure();
    OpTy::populateDefaultProperties(
        OperationName(OpTy::getOperationName(), context), merged);
    Adaptor adaptor(operands, attributes, merged, regions);
    if (failed(adaptor.verify(location.value_or(UnknownLoc::get(context)))))
      return failure();
    return OpTy::inferReturnTypes(context, location, adaptor,
                                  inferredReturnTypes);
  } else {
    return OpTy::inferReturnTypes(
        context, location, Adaptor(operands, attributes, properties, regions),
        inferredReturnTypes);
  }
}

} // namespace mlir::job

#endif // JOBDIALECT_LIB_IR_INFERENCE_H
