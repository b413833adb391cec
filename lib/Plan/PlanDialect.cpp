//===- PlanDialect.cpp - The plan dialect ---------------------------------===//

#include "Effects.h"

#include "JobDialect/Plan/PlanDialect.h"

#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/Permutations.h"
#include "JobDialect/IR/ResultStructure.h"
#include "JobDialect/Support/Suggestions.h"
#include "JobDialect/Support/Targets.h"

#include "jobrt/abi.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::plan;

#include "JobDialect/Plan/PlanDialect.cpp.inc"
#include "JobDialect/Plan/PlanEnums.cpp.inc"
#include "JobDialect/Plan/PlanInterfaces.cpp.inc"

#include "JobDialect/Plan/PlanAttrInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "JobDialect/Plan/PlanTypes.cpp.inc"

#define GET_OP_CLASSES
#include "JobDialect/Plan/PlanOps.cpp.inc"

void PlanDialect::initialize() {
  registerAttributes();
  declarePromisedInterfaces<ScheduleAttrInterface, CPUScheduleAttr,
                            CUDAScheduleAttr>();
  declarePromisedInterfaces<gpu::TargetAttrInterface, PTXAttr,
                            SimulatedCUDAAttr>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "JobDialect/Plan/PlanTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "JobDialect/Plan/PlanOps.cpp.inc"
      >();
}

bool plan::isBufferType(ShapedType type) {
  if (!type.hasStaticShape() || !job::isElementType(type.getElementType()))
    return false;
  auto memref = dyn_cast<MemRefType>(type);
  if (memref && !memref.getLayout().isIdentity())
    return false;
  // As if no dimension were 0: none hides how large the others are.
  int64_t bytes = job::getElementBytes(type.getElementType());
  for (int64_t size : type.getShape()) {
    if (size > kMaxSpaceBytes / bytes)
      return false;
    bytes *= std::max<int64_t>(size, 1);
  }
  return true;
}

int64_t plan::getBufferBytes(ShapedType type) {
  return type.getNumElements() * job::getElementBytes(type.getElementType());
}

Operation *plan::getBufferRoot(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer.getDefiningOp();
}

SmallVector<PlanCommandOpInterface> plan::getCommands(ProgramOp program) {
  return getOpsOfProgram<PlanCommandOpInterface>(program);
}

static SmallVector<Value> getContents(ArrayRef<OpOperand *> operands) {
  SmallVector<Value> buffers;
  for (OpOperand *operand : operands)
    if (!isa<WorkspaceOp>(getBufferRoot(operand->get())))
      buffers.push_back(operand->get());
  return buffers;
}

SmallVector<Value> plan::getReadBuffers(PlanCommandOpInterface command) {
  return getContents(command.getReadOperands());
}

SmallVector<Value> plan::getWrittenBuffers(PlanCommandOpInterface command) {
  return getContents(command.getWrittenOperands());
}

/// The view of an iteration's rows that `buffer` is seen through; null when
/// there is none.
static MicroViewOp getMicroView(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    if (auto rows = dyn_cast<MicroViewOp>(view.getOperation()))
      return rows;
    buffer = view.getViewSource();
  }
  return {};
}

BufferPlace plan::getBufferPlace(Value buffer, SymbolTableCollection &symbols) {
  using Offset = std::optional<int64_t>;
  Operation *root = getBufferRoot(buffer);
  auto offset =
      TypeSwitch<Operation *, Offset>(root)
          .Case<AllocOp, InputOp, OutputOp>(
              [](auto op) -> Offset { return op.getOffset(); })
          .Case([](WorkspaceOp op) -> Offset {
            return op.getOffset().value_or(0);
          })
          .Case([&](GetVariableOp op) -> Offset {
            auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(
                op->getParentOp(), op.getSymbolAttr());
            return variable.getOffset();
          })
          .Case([&](GetConstantOp op) -> Offset {
            auto constant = symbols.lookupNearestSymbolFrom<ConstantOp>(
                op->getParentOp(), op.getSymbolAttr());
            return constant.getOffset();
          })
          .DefaultUnreachable("expects a buffer of a program");
  SpaceAttr space = getSpace(buffer.getType());
  int64_t bytes = getBufferBytes(cast<MemRefType>(buffer.getType()));
  // A view of the rows has the bytes of one iteration, and so have its views.
  if (auto rows = getMicroView(buffer))
    return {space, offset, bytes, /*stride=*/bytes,
            static_cast<int64_t>(rows->getParentOfType<RepeatOp>().getCount())};
  return {space, offset, bytes};
}

bool plan::mayOverlap(const BufferPlace &a, const BufferPlace &b) {
  auto getEnd = [](const BufferPlace &place) {
    return *place.offset + place.bytes + place.stride * (place.count - 1);
  };
  if (a.space != b.space)
    return false;
  return !a.offset || !b.offset ||
         (*a.offset < getEnd(b) && *b.offset < getEnd(a));
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Inputs and outputs are numbered from 0, each number once, and have names of
/// their own.
template <typename PortOp> static LogicalResult verifyPorts(ProgramOp program) {
  auto ports = program.getBody().getOps<PortOp>();
  int64_t count = std::distance(ports.begin(), ports.end());
  SmallVector<bool> seen(count, false);
  llvm::StringSet<> names;
  for (PortOp port : ports) {
    if (!names.insert(port.getName()).second)
      return port.emitOpError() << "expects a unique name but got '"
                                << port.getName() << "' a second time";
    int64_t index = port.getIndex();
    if (index >= count)
      return port.emitOpError()
             << "expects an index below the number of ports, " << count
             << ", but got " << index;
    if (seen[index])
      return port.emitOpError()
             << "expects a unique index but got " << index << " a second time";
    seen[index] = true;
  }
  return success();
}

/// An output with a bounded dimension names the output that has its count.
static LogicalResult verifyCounts(ProgramOp program) {
  auto outputs = program.getBody().getOps<OutputOp>();
  for (OutputOp output : outputs) {
    if (!output.getCount())
      continue;
    int64_t dim = output.getBoundedDim();
    if (cast<MemRefType>(output.getResult().getType()).getRank() <= dim)
      return output.emitOpError() << "expects a buffer with dimension " << dim
                                  << ", which the count is of, but got "
                                  << output.getResult().getType();
    auto count = llvm::find_if(outputs, [&](OutputOp other) {
      return other.getIndex() == *output.getCount();
    });
    if (count == outputs.end())
      return output.emitOpError() << "expects an output that has the count but "
                                     "got "
                                  << *output.getCount() << ", which is none";
    auto type = cast<MemRefType>((*count).getResult().getType());
    if (type.getShape() == ArrayRef<int64_t>{1} &&
        type.getElementType().isInteger(64))
      continue;
    InFlightDiagnostic error = output.emitOpError()
                               << "expects a count of one i64 but got " << type;
    error.attachNote((*count).getLoc()) << "the count is here";
    return error;
  }
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (op.getDialect() != (*this)->getDialect())
      return op.emitOpError()
             << "expects to be outside of a plan.program, which contains "
                "buffers, commands and repeats only";
  for (const SpaceSize &size :
       getSizes() ? getSizes()->getSpaces() : ArrayRef<SpaceSize>())
    if (size.space.getRole() == SpaceRole::Variables ||
        size.space.getRole() == SpaceRole::Constants)
      return emitOpError()
             << "expects sizes of the program's own spaces but got that of the "
             << size.space.str() << ", which all programs share";
  if (failed(verifyPorts<InputOp>(*this)) ||
      failed(verifyPorts<OutputOp>(*this)))
    return failure();
  auto outputs = getBody().getOps<OutputOp>();
  if (failed(job::verifyResultStructure(
          [&] { return emitOpError(); }, getResultStructureAttr(),
          std::distance(outputs.begin(), outputs.end()))))
    return failure();
  return verifyCounts(*this);
}

std::optional<SpaceSize> ProgramOp::getSize(SpaceRole role) {
  return getSizes() ? getSizes()->lookup(role) : std::nullopt;
}

/// Spaces of the first device come first, then by device; in each the roles in
/// their order.
static bool isBefore(const SpaceSize &a, const SpaceSize &b) {
  auto getKey = [](SpaceAttr space) {
    FlatSymbolRefAttr device = space.getDevice();
    return std::pair(device ? device.getValue() : StringRef(), space.getRole());
  };
  return getKey(a.space) < getKey(b.space);
}

void ProgramOp::updateSizes(ArrayRef<SpaceSize> sizes) {
  SmallVector<SpaceSize> all(sizes);
  if (getSizes())
    for (const SpaceSize &old : getSizes()->getSpaces())
      if (llvm::none_of(sizes, [&](const SpaceSize &size) {
            return size.space.getRole() == old.space.getRole();
          }))
        all.push_back(old);
  llvm::sort(all, isBefore);
  setSizesAttr(SizesAttr::get(getContext(), all));
}

LogicalResult RepeatOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (!isa<PlanCommandOpInterface, AllocOp, WorkspaceOp, GetVariableOp,
             GetConstantOp, ViewOp, MicroViewOp>(op))
      return op.emitOpError() << "expects to be outside of a plan.repeat, "
                                 "which contains buffers and commands only";
  if (llvm::none_of(getBody().front(), llvm::IsaPred<PlanCommandOpInterface>))
    return emitOpError("expects at least one command but got none");
  return success();
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

MemRefType plan::getStatusType(MLIRContext *context) {
  return MemRefType::get({kMaxChunks}, IntegerType::get(context, 32));
}

BlockArgument plan::appendArgument(func::FuncOp body, Type type, Location loc) {
  [[maybe_unused]] LogicalResult inserted =
      body.insertArgument(body.getNumArguments(), type, {}, loc);
  assert(succeeded(inserted) && "a function has arguments");
  return body.getArguments().back();
}

MemRefType plan::getKernelBufferType(MemRefType type) {
  return MemRefType::get(type.getShape(),
                         job::getCodeType(type.getElementType()));
}

bool plan::isLowered(ExecutableOp kernel) {
  auto variants = kernel.getVariants();
  return !variants.empty() && llvm::all_of(variants, [](VariantOp variant) {
    return variant.getFunctionAttr() && !variant.getCode();
  });
}

bool plan::hasKernelsToLower(ModuleOp module) {
  return llvm::any_of(module.getOps<ExecutableOp>(),
                      [](ExecutableOp kernel) { return !isLowered(kernel); });
}

StringRef plan::getTarget(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::Host:
    return job::kCPUTarget;
  case DeviceKind::CUDA:
    return job::kCUDATarget;
  }
  llvm_unreachable("no kind of a device");
}

/// The one of a module's devices that has a queue; null if none has.
static DeviceOp findDevice(auto &&devices, uint64_t queue) {
  for (DeviceOp device : devices) {
    if (queue < device.getQueues())
      return device;
    queue -= device.getQueues();
  }
  return {};
}

/// How spaces name the device of a queue: the first one by null.
static FlatSymbolRefAttr getDevice(auto &&devices, uint64_t queue) {
  DeviceOp device = findDevice(devices, queue);
  return !device || device == *devices.begin()
             ? FlatSymbolRefAttr()
             : FlatSymbolRefAttr::get(device.getSymNameAttr());
}

static auto getDevices(Operation *op) {
  return op->getParentOfType<ModuleOp>().getOps<DeviceOp>();
}

StringRef plan::getTarget(PlanCommandOpInterface command) {
  DeviceOp device = findDevice(getDevices(command), command.getQueue());
  return getTarget(device ? device.getKind() : DeviceKind::Host);
}

FlatSymbolRefAttr plan::getDevice(PlanCommandOpInterface command) {
  return ::getDevice(getDevices(command), command.getQueue());
}

bool plan::isOnOneDevice(ProgramOp program) {
  SmallVector<DeviceOp> devices(getDevices(program));
  std::optional<FlatSymbolRefAttr> first;
  auto isFirst = [&](FlatSymbolRefAttr device) {
    if (!first)
      first = device;
    return first == device;
  };
  return llvm::all_of(
      getCommands(program), [&](PlanCommandOpInterface command) {
        return isFirst(::getDevice(devices, command.getQueue())) &&
               llvm::all_of(command->getOperandTypes(), [&](Type type) {
                 // Inputs and outputs belong to no device.
                 SpaceAttr space = getSpace(type);
                 return !space || space.getRole() == SpaceRole::Inputs ||
                        space.getRole() == SpaceRole::Outputs ||
                        isFirst(space.getDevice());
               });
      });
}

SmallVector<unsigned> plan::getDevicesOfQueues(ModuleOp module) {
  SmallVector<unsigned> devices;
  for (auto [number, device] : llvm::enumerate(module.getOps<DeviceOp>()))
    devices.append(device.getQueues(), number);
  if (devices.empty())
    devices.push_back(0);
  return devices;
}

LogicalResult DeviceOp::verify() {
  if (getKind() == DeviceKind::Host && getIndex() != 0)
    return emitOpError("expects index 0 for a device of kind host but got ")
           << getIndex();
  return success();
}

func::FuncOp ExecutableOp::getBody() {
  return dyn_cast_if_present<func::FuncOp>(mlir::SymbolTable::lookupSymbolIn(
      *this, StringAttr::get(getContext(), kBodyName)));
}

VariantOp ExecutableOp::getVariant(StringRef target) {
  return dyn_cast_if_present<VariantOp>(mlir::SymbolTable::lookupSymbolIn(
      *this, StringAttr::get(getContext(), target)));
}

func::FuncOp VariantOp::getCode() {
  if (!getFunctionAttr())
    return {};
  return dyn_cast_if_present<func::FuncOp>(mlir::SymbolTable::lookupSymbolIn(
      (*this)->getParentOp(), getFunctionAttr()));
}

bool plan::isScalarType(Type type) {
  return type.isF32() || type.isF64() || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64);
}

/// Whether a function takes buffers, then scalars, then the chunk.
static bool isCodeType(FunctionType type) {
  ArrayRef<Type> inputs = type.getInputs();
  return type.getNumResults() == 0 && !inputs.empty() &&
         isa<IndexType>(inputs.back()) &&
         llvm::all_of(inputs.drop_back().drop_while(llvm::IsaPred<MemRefType>),
                      isScalarType);
}

LogicalResult VariantOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (!getFunctionAttr())
    return success();
  if (!getChunks())
    return emitOpError("expects chunks beside its function but got none");
  if (func::FuncOp code = getCode()) {
    if (!isCodeType(code.getFunctionType()))
      return emitOpError() << "expects a function of memrefs, scalars and the "
                              "chunk, an index, but got "
                           << getFunctionAttr() << " of type "
                           << code.getFunctionType();
    return success();
  }
  // Lowered code is in the module, and in the objects of a gpu.binary when
  // there are any.
  Operation *module = (*this)->getParentOp()->getParentOp();
  SymbolRefAttr symbol = getFunctionAttr();
  if (module && symbol.getNestedReferences().size() == 1 &&
      isa_and_nonnull<gpu::BinaryOp>(symbolTable.lookupNearestSymbolFrom(
          module, symbol.getRootReference())))
    return success();
  if (!module || !isa_and_nonnull<LLVM::LLVMFuncOp>(
                     symbolTable.lookupNearestSymbolFrom(module, symbol)))
    return emitOpError() << "expects a function but got " << getFunctionAttr()
                         << ", which is none";
  return success();
}

LogicalResult ExecutableOp::verifyRegions() {
  for (Operation &op : getRegion().front()) {
    if (!isa<VariantOp, func::FuncOp>(op))
      return op.emitOpError() << "expects to stand outside of a "
                                 "plan.executable, which holds functions and "
                                 "variants only";
  }
  // Dispatches have as many checks as the counts say.
  CheckOp first;
  WalkResult result = getRegion().walk([&](CheckOp check) {
    if (!first)
      first = check;
    if (check.getCount() == first.getCount())
      return WalkResult::advance();
    InFlightDiagnostic error = check.emitOpError()
                               << "expects a count of " << first.getCount()
                               << ", as another check of the kernel, but got "
                               << check.getCount();
    error.attachNote(first.getLoc()) << "the other check is here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult CheckOp::verify() {
  if (!(*this)->getParentOfType<linalg::GenericOp>() &&
      !(*this)->getParentOfType<scf::ParallelOp>())
    return emitOpError(
        "expects to stand in a linalg.generic or an scf.parallel");
  if (getCount() > JOBRT_MAX_CHECKS)
    return emitOpError() << "expects at most " << JOBRT_MAX_CHECKS
                         << " checks but got " << getCount();
  if (getNumber() >= getCount())
    return emitOpError() << "expects a number below the count, " << getCount()
                         << ", but got " << getNumber();
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

MemRefType VariableOp::getDeclaredType() {
  auto type = cast<MemRefType>(getType());
  std::optional<ArrayRef<int64_t>> permutation = getPermutation();
  if (!permutation || getExpandedShape())
    return type;
  return MemRefType::Builder(type).setShape(
      applyPermutation(type.getShape(), invertPermutationVector(*permutation)));
}

LogicalResult VariableOp::verify() {
  return job::verifyStoredOrder([&] { return emitOpError(); },
                                cast<MemRefType>(getType()).getShape(),
                                getPermutation(), getExpandedShape());
}

LogicalResult
GetVariableOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto variable = symbolTable.lookupNearestSymbolFrom<VariableOp>(
      (*this)->getParentOp(), getSymbolAttr());
  if (!variable) {
    InFlightDiagnostic error = emitOpError()
                               << "expects a plan.variable but got "
                               << getSymbolAttr() << ", which is none";
    job::suggestSymbol<VariableOp>(error, (*this)->getParentOp(),
                                   getSymbolAttr());
    return error;
  }
  if (variable.getType() != getResult().getType())
    return emitOpError() << "expects type " << variable.getType()
                         << " of variable " << getSymbolAttr() << " but got "
                         << getResult().getType();
  return success();
}

LogicalResult
GetConstantOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto constant = symbolTable.lookupNearestSymbolFrom<ConstantOp>(
      (*this)->getParentOp(), getSymbolAttr());
  if (!constant) {
    InFlightDiagnostic error = emitOpError()
                               << "expects a plan.constant but got "
                               << getSymbolAttr() << ", which is none";
    job::suggestSymbol<ConstantOp>(error, (*this)->getParentOp(),
                                   getSymbolAttr());
    return error;
  }
  ShapedType type = constant.getValue().getShapedType();
  auto result = cast<MemRefType>(getResult().getType());
  if (type.getShape() != result.getShape() ||
      type.getElementType() != result.getElementType())
    return emitOpError() << "expects the shape and element type of " << type
                         << " but got " << result;
  return success();
}

/// A view is in the space of what it is a view of.
static LogicalResult verifySameSpace(Operation *view) {
  SpaceAttr from = getSpace(view->getOperand(0).getType());
  SpaceAttr to = getSpace(view->getResult(0).getType());
  if (from == to)
    return success();
  return view->emitOpError()
         << "expects a buffer in the " << from.str()
         << ", where the source is, but got one in the " << to.str();
}

LogicalResult InputOp::verify() {
  Type element = getType().getElementType();
  if (getChecked() && !isa<FloatType>(element))
    return emitOpError() << "expects floats to be checked but got " << element;
  return success();
}

LogicalResult ViewOp::verify() {
  auto from = cast<MemRefType>(getSource().getType());
  auto to = cast<MemRefType>(getResult().getType());
  if (getBufferBytes(from) != getBufferBytes(to))
    return emitOpError() << "expects " << getBufferBytes(from)
                         << " bytes as the source has but got "
                         << getBufferBytes(to);
  return verifySameSpace(*this);
}

Value ViewOp::getViewSource() { return getSource(); }

LogicalResult MicroViewOp::verify() {
  auto from = cast<MemRefType>(getSource().getType());
  auto to = cast<MemRefType>(getResult().getType());
  int64_t count = (*this)->getParentOfType<RepeatOp>().getCount();
  if (from.getRank() == 0 || from.getRank() != to.getRank() ||
      from.getElementType() != to.getElementType() ||
      from.getShape().drop_front() != to.getShape().drop_front() ||
      from.getDimSize(0) != count * to.getDimSize(0))
    return emitOpError() << "expects one of " << count
                         << " parts of dimension 0 of " << from << " but got "
                         << to;
  if (getMicroView(getSource()))
    return emitOpError()
           << "expects a buffer with the rows of all iterations but "
              "got one with the rows of one iteration";
  if (getBufferRoot(getSource())->getParentOp() == (*this)->getParentOp() &&
      !isa<GetVariableOp, GetConstantOp>(getBufferRoot(getSource())))
    return emitOpError() << "expects a buffer from outside of the plan.repeat "
                            "but got one from inside";
  return verifySameSpace(*this);
}

Value MicroViewOp::getViewSource() { return getSource(); }

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

void DispatchOp::getEffects(Effects &effects) {
  addBufferEffects(*this, effects);
}

LogicalResult DispatchOp::verify() {
  if (!getChecks())
    return success();
  MemRefType status = getStatusType(getContext());
  if (getOuts().empty())
    return emitOpError() << "expects a last buffer of type " << status
                         << " for the status of the checks but got none";
  auto last = cast<MemRefType>(getOuts().back().getType());
  if (last.getShape() != status.getShape() ||
      last.getElementType() != status.getElementType())
    return emitOpError() << "expects a last buffer of type " << status
                         << " for the status of the checks but got " << last;
  return success();
}

SmallVector<Type> DispatchOp::getScalarTypes() {
  if (!getScalars())
    return {};
  return llvm::map_to_vector(getScalarsAttr(), [](Attribute scalar) {
    return cast<TypedAttr>(scalar).getType();
  });
}

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  Operation *symbol = symbolTable.lookupNearestSymbolFrom(
      (*this)->getParentOp(), getKernelAttr());
  auto executable = dyn_cast_if_present<ExecutableOp>(symbol);
  if (!executable) {
    InFlightDiagnostic error = emitOpError()
                               << "expects a plan.executable but got "
                               << getKernelAttr() << ", which is none";
    job::suggestSymbol<ExecutableOp>(error, (*this)->getParentOp(),
                                     getKernelAttr());
    return error;
  }
  SmallVector<Type> scalars = getScalarTypes();
  func::FuncOp body = executable.getBody();
  bool isOnBuffers =
      body && llvm::all_of(body.getArgumentTypes(), llvm::IsaPred<MemRefType>);
  SmallVector<Type> buffers;
  for (Type type : getOperandTypes())
    buffers.push_back(job::getBodyBufferType(cast<MemRefType>(type)));
  if (isOnBuffers &&
      (!scalars.empty() || body.getArgumentTypes() != ArrayRef<Type>(buffers)))
    return emitOpError() << "expects the buffers and scalars that "
                         << getKernelAttr() << " takes, "
                         << body.getFunctionType();
  if (body && !isOnBuffers) {
    SmallVector<Type> types;
    for (Type type : getOperandTypes())
      types.push_back(job::getBodyTensorType(cast<MemRefType>(type)));
    llvm::append_range(types, scalars);
    if (body.getArgumentTypes() != ArrayRef<Type>(types))
      return emitOpError() << "expects the buffers and scalars that "
                           << getKernelAttr() << " takes, "
                           << body.getFunctionType();
    size_t written = getInouts().size() + getOuts().size();
    size_t results = body.getNumResults() + (getChecks() ? 1 : 0);
    if (written != results)
      return emitOpError() << "expects " << results << " buffers in inouts and "
                           << "outs, as " << getKernelAttr()
                           << " writes, but got " << written;
  }
  for (VariantOp variant : executable.getVariants()) {
    func::FuncOp func = variant.getCode();
    if (!func)
      continue;
    // A variant takes the buffers, the scalars and the chunk.
    ArrayRef<Type> types = func.getArgumentTypes();
    bool areArguments =
        types.size() == getNumOperands() + scalars.size() + 1 &&
        types.drop_back().take_back(scalars.size()) == ArrayRef<Type>(scalars);
    for (auto [type, operand, buffer] :
         llvm::zip(types, getOperandTypes(), buffers))
      areArguments &= type == getKernelBufferType(cast<MemRefType>(operand)) ||
                      type == buffer;
    if (!areArguments)
      return emitOpError() << "expects the buffers and scalars that "
                           << getKernelAttr() << " takes, "
                           << func.getFunctionType();
  }
  return success();
}

void CallOp::getEffects(Effects &effects) {
  addReads(effects, getInsMutable());
  addWrites(effects, getOutsMutable());
  addWrites(effects, getWorkspaceMutable());
}

LogicalResult CallOp::verify() {
  if (!getChecked())
    return success();
  if (getOuts().empty())
    return emitOpError("expects results to be checked but got none");
  for (Value result : getOuts())
    if (Type element = cast<MemRefType>(result.getType()).getElementType();
        !element.isF32() && !element.isF16() && !element.isBF16())
      return emitOpError() << "expects results of f32, f16 or bf16 to be "
                              "checked but got "
                           << element;
  return success();
}

LogicalResult CopyOp::verify() {
  auto from = cast<MemRefType>(getSource().getType());
  auto to = cast<MemRefType>(getTarget().getType());
  if (from.getShape() == to.getShape() &&
      from.getElementType() == to.getElementType())
    return success();
  return emitOpError() << "expects a target of the shape and element type of "
                       << from << " but got " << to;
}

void CopyOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}

void FillOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}
