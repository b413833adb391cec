//===- CallConfig.h - Configurations of library calls -----------*- C++ -*-===//

#ifndef LIB_CONVERSION_JOBTOPLAN_MODELS_CALLCONFIG_H
#define LIB_CONVERSION_JOBTOPLAN_MODELS_CALLCONFIG_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/CallSplits.h"
#include "JobDialect/Support/Targets.h"

namespace mlir::job {

/// The attribute of a configuration of a CPU's library after `split` has filled
/// in its split, or null if the library cannot compute it: it is for another
/// target, has another type than f32, or an extent that is too large.
template <typename Attr, typename Config>
Attribute makeCallConfig(Operation *op, StringRef target, Config &config,
                         function_ref<void()> split) {
  auto type = cast<BlobType>(op->getResult(0).getType());
  if (target != kCPUTarget || !type.getElementType().isF32() ||
      !jobrt::calls::check(config).empty())
    return {};
  split();
  return Attr::get(op->getContext(), config);
}

/// The name that library functions of a GPU have for an element type, if they
/// have it.
inline std::optional<jobrt::calls::Element> getCallElement(Type type) {
  if (type.isF32())
    return jobrt::calls::Element::kF32;
  if (type.isF16())
    return jobrt::calls::Element::kF16;
  if (type.isBF16())
    return jobrt::calls::Element::kBF16;
  return std::nullopt;
}

} // namespace mlir::job

#endif // LIB_CONVERSION_JOBTOPLAN_MODELS_CALLCONFIG_H
