//===- PlanDialect.cpp - The plan dialect ---------------------------------===//

#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::plan;

#include "JobDialect/Plan/PlanDialect.cpp.inc"

#define GET_OP_CLASSES
#include "JobDialect/Plan/PlanOps.cpp.inc"

void PlanDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "JobDialect/Plan/PlanOps.cpp.inc"
      >();
}

static bool isElementType(Type type) {
  return type.isF32() || type.isF64() || type.isSignlessInteger(1) ||
         type.isSignlessInteger(8) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64);
}

static int64_t getElementBytes(Type type) {
  return std::max(1u, type.getIntOrFloatBitWidth() / 8);
}

bool plan::isBufferType(ShapedType type) {
  if (!type.hasStaticShape() || !isElementType(type.getElementType()))
    return false;
  auto memref = dyn_cast<MemRefType>(type);
  if (memref && !memref.getLayout().isIdentity())
    return false;
  // As if no dimension were 0: none hides how large the others are.
  int64_t bytes = getElementBytes(type.getElementType());
  for (int64_t size : type.getShape()) {
    if (size > kMaxSpaceBytes / bytes)
      return false;
    bytes *= std::max<int64_t>(size, 1);
  }
  return true;
}

int64_t plan::getBufferBytes(ShapedType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

Operation *plan::getBufferRoot(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer.getDefiningOp();
}

bool plan::isCommand(Operation *op) {
  return isa<DispatchOp, CallOp, CopyOp, FillOp>(op);
}

SmallVector<Operation *> plan::getCommands(ProgramOp program) {
  SmallVector<Operation *> commands;
  program.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isCommand(op))
      commands.push_back(op);
  });
  return commands;
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

StringRef plan::stringifySpace(Space space) {
  switch (space) {
  case Space::Arena:
    return "arena";
  case Space::Bank:
    return "bank";
  case Space::Input:
    return "input";
  case Space::Output:
    return "output";
  case Space::Constant:
    return "constant";
  case Space::Workspace:
    return "workspace";
  }
  llvm_unreachable("unknown space");
}

BufferPlace plan::getBufferPlace(Value buffer, SymbolTableCollection &symbols) {
  using Place = std::pair<Space, std::optional<int64_t>>;
  Operation *root = getBufferRoot(buffer);
  Place place =
      TypeSwitch<Operation *, Place>(root)
          .Case([](AllocOp op) { return Place(Space::Arena, op.getOffset()); })
          .Case([](InputOp op) { return Place(Space::Input, op.getOffset()); })
          .Case(
              [](OutputOp op) { return Place(Space::Output, op.getOffset()); })
          .Case([](WorkspaceOp op) { return Place(Space::Workspace, 0); })
          .Case([&](GetVariableOp op) {
            auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(
                op->getParentOp(), op.getSymbolAttr());
            return Place(Space::Bank, variable.getOffset());
          })
          .Case([&](GetConstantOp op) {
            auto constant = symbols.lookupNearestSymbolFrom<ConstantOp>(
                op->getParentOp(), op.getSymbolAttr());
            return Place(Space::Constant, constant.getOffset());
          })
          .DefaultUnreachable("expects a buffer of a program");
  int64_t bytes = getBufferBytes(cast<MemRefType>(buffer.getType()));
  // A view of the rows has the bytes of one iteration, and so have its views.
  if (auto rows = getMicroView(buffer))
    return {place.first, place.second, bytes, /*stride=*/bytes,
            static_cast<int64_t>(rows->getParentOfType<RepeatOp>().getCount())};
  return {place.first, place.second, bytes};
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Inputs and outputs are numbered from 0, each number once.
template <typename PortOp> static LogicalResult verifyPorts(ProgramOp program) {
  auto ports = program.getBody().getOps<PortOp>();
  int64_t count = std::distance(ports.begin(), ports.end());
  SmallVector<bool> seen(count, false);
  for (PortOp port : ports) {
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

LogicalResult ProgramOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (op.getDialect() != (*this)->getDialect())
      return op.emitOpError()
             << "expects to be outside of a plan.program, which contains "
                "buffers, commands and repeats only";
  if (failed(verifyPorts<InputOp>(*this)))
    return failure();
  return verifyPorts<OutputOp>(*this);
}

LogicalResult RepeatOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (!isCommand(&op) && !isa<AllocOp, WorkspaceOp, GetVariableOp,
                                GetConstantOp, ViewOp, MicroViewOp>(op))
      return op.emitOpError() << "expects to be outside of a plan.repeat, "
                                 "which contains buffers and commands only";
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

LogicalResult
GetVariableOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto variable = symbolTable.lookupNearestSymbolFrom<VariableOp>(
      (*this)->getParentOp(), getSymbolAttr());
  if (!variable)
    return emitOpError() << "expects a plan.variable but got "
                         << getSymbolAttr() << ", which is none";
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
  if (!constant)
    return emitOpError() << "expects a plan.constant but got "
                         << getSymbolAttr() << ", which is none";
  ShapedType type = constant.getValue().getShapedType();
  auto result = cast<MemRefType>(getResult().getType());
  if (type.getShape() != result.getShape() ||
      type.getElementType() != result.getElementType())
    return emitOpError() << "expects the shape and element type of " << type
                         << " but got " << result;
  return success();
}

LogicalResult ViewOp::verify() {
  auto from = cast<MemRefType>(getSource().getType());
  auto to = cast<MemRefType>(getResult().getType());
  if (getBufferBytes(from) != getBufferBytes(to))
    return emitOpError() << "expects " << getBufferBytes(from)
                         << " bytes as the source has but got "
                         << getBufferBytes(to);
  return success();
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
  return success();
}

Value MicroViewOp::getViewSource() { return getSource(); }

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addReads(Effects &effects, MutableOperandRange operands) {
  for (OpOperand &operand : operands)
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

static void addWrites(Effects &effects, MutableOperandRange operands) {
  for (OpOperand &operand : operands)
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
}

void DispatchOp::getEffects(Effects &effects) {
  addReads(effects, getInsMutable());
  addReads(effects, getInoutsMutable());
  addWrites(effects, getInoutsMutable());
  addWrites(effects, getOutsMutable());
}

LogicalResult DispatchOp::verify() {
  if (!getChecks())
    return success();
  auto status = MemRefType::get({static_cast<int64_t>(getChunks())},
                                IntegerType::get(getContext(), 32));
  if (getOuts().empty())
    return emitOpError() << "expects a last buffer of type " << status
                         << " for what the checks find but got none";
  if (Type last = getOuts().back().getType(); last != status)
    return emitOpError() << "expects a last buffer of type " << status
                         << " for what the checks find but got " << last;
  return success();
}

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  Operation *kernel = symbolTable.lookupNearestSymbolFrom(
      (*this)->getParentOp(), getKernelAttr());
  if (!isa_and_nonnull<func::FuncOp, LLVM::LLVMFuncOp>(kernel))
    return emitOpError() << "expects a kernel but got " << getKernelAttr()
                         << ", which is none";
  auto func = dyn_cast<func::FuncOp>(kernel);
  if (!func)
    return success();
  // A kernel takes the buffers and the chunk.
  ArrayRef<Type> types = func.getArgumentTypes();
  if (types.empty() || types.drop_back() != getOperandTypes())
    return emitOpError() << "expects the buffers that " << getKernelAttr()
                         << " takes, " << func.getFunctionType();
  return success();
}

void CallOp::getEffects(Effects &effects) {
  addReads(effects, getInsMutable());
  addWrites(effects, getOutsMutable());
  addWrites(effects, getWorkspaceMutable());
}

LogicalResult CallOp::verify() {
  for (NamedAttribute entry : getConfig()) {
    auto fraction = dyn_cast<FloatAttr>(entry.getValue());
    bool isFinite = fraction && fraction.getType().isF64() &&
                    fraction.getValue().isFinite();
    if (!isFinite && !isa<IntegerAttr>(entry.getValue()))
      return emitOpError() << "expects an integer or a finite f64 as config "
                           << entry.getName() << " but got "
                           << entry.getValue();
  }
  return success();
}

void CopyOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}

void FillOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}
