//===- PlanCommands.cpp - What reports and artifacts say of commands ------===//

#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/JSON.h"
#include "JobDialect/Support/Locations.h"

#include "jobrt/abi.h"

using namespace mlir;
using namespace mlir::plan;
namespace json = llvm::json;

/// The numbers of operands in increasing order, without workspaces: no contents
/// go in or out through one.
static json::Array getNumbers(ArrayRef<OpOperand *> operands) {
  SmallVector<int64_t> numbers;
  for (OpOperand *operand : operands)
    if (!isa<WorkspaceOp>(getBufferRoot(operand->get())))
      numbers.push_back(operand->getOperandNumber());
  llvm::sort(numbers);
  return json::Array(numbers);
}

/// What a dispatch or a call says about its work.
static void addWork(PlanCommandOpInterface command, json::Object &members) {
  members["flops"] = command.getOperationCount();
  members["reads"] = getNumbers(command.getReadOperands());
  members["writes"] = getNumbers(command.getWrittenOperands());
}

//===----------------------------------------------------------------------===//
// plan.dispatch
//===----------------------------------------------------------------------===//

std::string DispatchOp::getTitle() { return getKernel().str(); }

int64_t DispatchOp::getOperationCount() {
  return static_cast<int64_t>(getFlops().value_or(0));
}

std::optional<int64_t> DispatchOp::getChunkCount() {
  auto executable = SymbolTable::lookupNearestSymbolFrom<ExecutableOp>(
      (*this)->getParentOp(), getKernelAttr());
  if (VariantOp variant =
          executable ? executable.getVariant(getTarget(*this)) : VariantOp())
    return variant.getChunks();
  return std::nullopt;
}

/// The code that a dispatch runs, and the number of its function, from the name
/// that job-lower-kernels gave it.
static FailureOr<std::pair<VariantOp, int64_t>>
getKernel(DispatchOp dispatch, SymbolTableCollection &symbols) {
  auto executable = symbols.lookupNearestSymbolFrom<ExecutableOp>(
      dispatch->getParentOp(), dispatch.getKernelAttr());
  VariantOp variant =
      executable ? executable.getVariant(getTarget(dispatch)) : VariantOp();
  if (variant && variant.getFunction() && variant.getChunks()) {
    StringRef name = variant.getFunction()->getLeafReference();
    int64_t number;
    if (name.consume_front(JOBRT_KERNEL_PREFIX) &&
        !name.getAsInteger(10, number) && number >= 0)
      return std::pair(variant, number);
  }
  return dispatch.emitOpError()
         << "expects a lowered kernel, with a function @" JOBRT_KERNEL_PREFIX
            "<n>, but got "
         << dispatch.getKernelAttr();
}

/// The ops that a dispatch checks for NaN and infinity.
static void addChecks(DispatchOp dispatch, CommandSerializer &serializer,
                      json::Object &members) {
  if (!dispatch.getChecks())
    return;
  json::Array checks;
  for (Attribute check : dispatch.getChecksAttr()) {
    Location loc(cast<LocationAttr>(check));
    json::Object entry{{"location", serializer.getLocationNumber(loc)}};
    if (std::string name = job::getUserName(loc); !name.empty())
      entry["name"] = job::toJSON(name);
    checks.push_back(std::move(entry));
  }
  members["checks"] = std::move(checks);
}

LogicalResult DispatchOp::serialize(CommandSerializer &serializer,
                                    json::Object &members) {
  FailureOr<std::pair<VariantOp, int64_t>> kernel =
      ::getKernel(*this, serializer.getSymbols());
  if (failed(kernel))
    return failure();
  members["op"] = "dispatch";
  members["kernel"] = kernel->second;
  members["chunks"] = *kernel->first.getChunks();
  if (getEpilogue())
    members["epilogue"] = true;
  addWork(*this, members);
  addChecks(*this, serializer, members);
  return success();
}

//===----------------------------------------------------------------------===//
// plan.call
//===----------------------------------------------------------------------===//

std::string CallOp::getTitle() { return getCallee().str(); }

int64_t CallOp::getOperationCount() {
  return static_cast<int64_t>(getFlops().value_or(0));
}

std::optional<int64_t> CallOp::getChunkCount() { return getChunks(); }

LogicalResult CallOp::serialize(CommandSerializer &, json::Object &members) {
  json::Object config;
  for (NamedAttribute entry : getConfig().getParameters()) {
    json::Value &value = config[entry.getName().strref()];
    if (auto fraction = dyn_cast<FloatAttr>(entry.getValue()))
      value = fraction.getValueAsDouble();
    else
      value = cast<IntegerAttr>(entry.getValue()).getInt();
  }
  members["op"] = "call";
  members["callee"] = job::toJSON(getCallee());
  members["config"] = std::move(config);
  members["chunks"] = getChunks();
  if (getChecked())
    members["checked"] = true;
  addWork(*this, members);
  return success();
}

//===----------------------------------------------------------------------===//
// plan.copy, plan.fill
//===----------------------------------------------------------------------===//

bool CopyOp::acceptsUnalignedRows() { return true; }

LogicalResult CopyOp::serialize(CommandSerializer &, json::Object &members) {
  members["op"] = "copy";
  return success();
}

std::string FillOp::getTitle() {
  return getValue() == 0 ? "fill with zeros"
                         : "fill with bytes " + std::to_string(getValue());
}

LogicalResult FillOp::serialize(CommandSerializer &, json::Object &members) {
  members["op"] = "fill";
  members["value"] = getValue();
  return success();
}

//===----------------------------------------------------------------------===//
// plan.host_call
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void HostCallOp::getEffects(Effects &effects) {
  // It may do anything else besides.
  effects.emplace_back(MemoryEffects::Write::get());
  for (OpOperand &operand : getInsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpOperand &operand : getInoutsMutable()) {
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
  for (OpOperand &operand : getOutsMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
}

std::string HostCallOp::getTitle() { return getCallee().str(); }

bool HostCallOp::canBeCaptured() { return false; }

LogicalResult HostCallOp::serialize(CommandSerializer &serializer,
                                    json::Object &members) {
  json::Array types;
  for (Type type : getOperandTypes())
    types.push_back(serializer.getType(cast<MemRefType>(type)));
  members["op"] = "host_call";
  members["callee"] = job::toJSON(getCallee());
  members["types"] = std::move(types);
  addWork(*this, members);
  return success();
}

//===----------------------------------------------------------------------===//
// plan.record, plan.wait
//===----------------------------------------------------------------------===//

// They touch no buffer, but are not to be removed or moved.
void RecordOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult RecordOp::serialize(CommandSerializer &serializer,
                                  json::Object &members) {
  members["op"] = "record";
  members["event"] = serializer.getEventNumber(getEvent());
  return success();
}

void WaitOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult WaitOp::serialize(CommandSerializer &serializer,
                                json::Object &members) {
  members["op"] = "wait";
  members["event"] = serializer.getEventNumber(getEvent());
  return success();
}
