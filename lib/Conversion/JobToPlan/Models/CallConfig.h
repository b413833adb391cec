//===- CallConfig.h - Configurations of library calls -----------*- C++ -*-===//

#ifndef LIB_CONVERSION_JOBTOPLAN_MODELS_CALLCONFIG_H
#define LIB_CONVERSION_JOBTOPLAN_MODELS_CALLCONFIG_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/CallSplits.h"
#include "JobDialect/Support/Targets.h"

#include <optional>

namespace mlir::job {

/// The name that functions of libraries have for an element type, if some have
/// it.
inline std::optional<jobrt::calls::Element> getCallElement(Type type) {
  if (type.isF32())
    return jobrt::calls::Element::kF32;
  if (type.isF16())
    return jobrt::calls::Element::kF16;
  if (type.isBF16())
    return jobrt::calls::Element::kBF16;
  return std::nullopt;
}

/// The most bytes of workspace of a convolution in the job of `op`.
inline int64_t getWorkspaceLimit(Operation *op) {
  auto func = op->getParentOfType<FuncOp>();
  IntegerAttr limit = func ? func.getWorkspaceLimitAttr() : IntegerAttr();
  return limit ? limit.getInt() : kNoWorkspaceLimit;
}

/// The attribute of a configuration of a CPU's library after `split` has filled
/// in its split, or null if the library cannot compute it: it is for another
/// target, of a type that the function does not have, or an extent is too
/// large.
template <typename Attr, typename Config>
Attribute makeCallConfig(Operation *op, StringRef target, Config &config,
                         function_ref<void()> split) {
  std::optional<jobrt::calls::Element> element = getCallElement(
      cast<BlobType>(op->getResult(0).getType()).getElementType());
  if (target != kCPUTarget || !element)
    return {};
  if constexpr (requires { config.type; })
    config.type = static_cast<int64_t>(*element);
  else if (*element != jobrt::calls::Element::kF32)
    return {};
  if (!jobrt::calls::check(config).empty())
    return {};
  split();
  return Attr::get(op->getContext(), config);
}

} // namespace mlir::job

#endif // LIB_CONVERSION_JOBTOPLAN_MODELS_CALLCONFIG_H
