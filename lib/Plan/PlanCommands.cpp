//===- PlanCommands.cpp - What reports and artifacts say of commands ------===//

#include "Effects.h"

#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/JSON.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Support/Targets.h"

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

void plan::addWork(PlanCommandOpInterface command, json::Object &members) {
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

/// The code that a dispatch runs, lowered.
static FailureOr<VariantOp> getKernel(DispatchOp dispatch,
                                      SymbolTableCollection &symbols) {
  auto executable = symbols.lookupNearestSymbolFrom<ExecutableOp>(
      dispatch->getParentOp(), dispatch.getKernelAttr());
  VariantOp variant =
      executable ? executable.getVariant(getTarget(dispatch)) : VariantOp();
  if (variant && variant.getFunction() && variant.getChunks())
    return variant;
  return dispatch.emitOpError()
         << "expects a lowered kernel but got " << dispatch.getKernelAttr();
}

/// A function of the host, by the number in the name that job-lower-kernels
/// gave it.
static LogicalResult addHostKernel(DispatchOp dispatch, VariantOp variant,
                                   json::Object &members) {
  StringRef name = variant.getFunction()->getLeafReference();
  int64_t number;
  if (!name.consume_front(JOBRT_KERNEL_PREFIX) ||
      name.getAsInteger(10, number) || number < 0)
    return dispatch.emitOpError()
           << "expects a lowered kernel, with a function @" JOBRT_KERNEL_PREFIX
              "<n>, but got "
           << dispatch.getKernelAttr();
  members["kernel"] = number;
  return success();
}

/// A kernel of the code objects for CUDA, by its name.
static LogicalResult addCUDAKernel(DispatchOp dispatch, VariantOp variant,
                                   json::Object &members) {
  auto schedule =
      dyn_cast_if_present<CUDAScheduleAttr>(variant.getScheduleAttr());
  if (!schedule)
    return dispatch.emitOpError("expects a kernel with a #plan.cuda_schedule");
  members["kernel"] = job::toJSON(variant.getFunction()->getLeafReference());
  members["threads"] = schedule.getThreads();
  ArrayAttr values = dispatch.getScalarsAttr();
  if (!values)
    return success();
  json::Array scalars;
  for (Attribute scalar : values) {
    json::Value value = nullptr;
    if (auto number = dyn_cast<FloatAttr>(scalar)) {
      // JSON has no other numbers.
      if (!number.getValue().isFinite())
        return dispatch.emitOpError()
               << "expects finite scalars on a device of kind cuda but got "
               << scalar;
      value = number.getValueAsDouble();
    } else {
      value = cast<IntegerAttr>(scalar).getInt();
    }
    scalars.push_back(json::Array{
        job::getElementTypeName(cast<TypedAttr>(scalar).getType()), value});
  }
  members["scalars"] = std::move(scalars);
  return success();
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

bool DispatchOp::isInLaunchBefore() { return getJoined(); }

LogicalResult DispatchOp::serialize(CommandSerializer &serializer,
                                    json::Object &members) {
  FailureOr<VariantOp> variant = ::getKernel(*this, serializer.getSymbols());
  if (failed(variant))
    return failure();
  members["op"] = "dispatch";
  if (failed(getTarget(*this) == job::kCUDATarget
                 ? addCUDAKernel(*this, *variant, members)
                 : addHostKernel(*this, *variant, members)))
    return failure();
  members["chunks"] = *variant->getChunks();
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

bool CopyOp::copiesBetweenDevices() { return true; }

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

void HostCallOp::getEffects(Effects &effects) {
  // It may do anything else besides.
  effects.emplace_back(MemoryEffects::Write::get());
  addBufferEffects(*this, effects);
}

std::string HostCallOp::getTitle() { return getCallee().str(); }

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
