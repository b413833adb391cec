//===- SimulateCUDAKernels.cpp - Kernels for the simulated CUDA -----------===//
//
// The last step for a kernel that runs without a GPU. Everything before it is
// the same as for a cubin, so what the simulated CUDA executes and checks is
// the code that the GPU gets: one call of kernel_abi.h stands before each
// access to memory, and one for each barrier and shuffle.
//
//===----------------------------------------------------------------------===//

#include "../KernelsToLLVM/ExpandNarrowFloats.h"

#include "JobDialect/Conversion/Passes.h"
#include "simulators/cuda/kernel_abi.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::job {
#define GEN_PASS_DEF_SIMULATECUDAKERNELS
#include "JobDialect/Conversion/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// The fields of jobsim_functions and of jobsim_thread, in their order.
enum FunctionField : int32_t { kAccess, kBarrier, kShuffle, kNumFunctions };
enum ThreadField : int32_t {
  kFunctions,
  kShared,
  kThreadId,
  kBlockDim,
  kBlockId,
  kGridDim
};

static constexpr unsigned kSharedSpace =
    static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);

static bool isSharedPointer(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == kSharedSpace;
}

/// The pointer was computed from memory of the thread alone, which nothing else
/// can reach.
static bool isLocal(Value pointer) {
  while (auto gep = pointer.getDefiningOp<LLVM::GEPOp>())
    pointer = gep.getBase();
  return isa_and_present<LLVM::AllocaOp>(pointer.getDefiningOp());
}

/// What of jobsim_thread a special register is.
static std::optional<std::pair<ThreadField, int32_t>>
getThreadField(Operation *op) {
  using Field = std::optional<std::pair<ThreadField, int32_t>>;
  return llvm::TypeSwitch<Operation *, Field>(op)
      .Case([](NVVM::ThreadIdXOp) { return Field({kThreadId, 0}); })
      .Case([](NVVM::ThreadIdYOp) { return Field({kThreadId, 1}); })
      .Case([](NVVM::ThreadIdZOp) { return Field({kThreadId, 2}); })
      .Case([](NVVM::BlockDimXOp) { return Field({kBlockDim, 0}); })
      .Case([](NVVM::BlockDimYOp) { return Field({kBlockDim, 1}); })
      .Case([](NVVM::BlockDimZOp) { return Field({kBlockDim, 2}); })
      .Case([](NVVM::BlockIdXOp) { return Field({kBlockId, 0}); })
      .Case([](NVVM::BlockIdYOp) { return Field({kBlockId, 1}); })
      .Case([](NVVM::BlockIdZOp) { return Field({kBlockId, 2}); })
      .Case([](NVVM::GridDimXOp) { return Field({kGridDim, 0}); })
      .Case([](NVVM::GridDimYOp) { return Field({kGridDim, 1}); })
      .Case([](NVVM::GridDimZOp) { return Field({kGridDim, 2}); })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {
/// What the simulated CUDA knows of a kernel.
struct KernelInfo {
  LLVM::LLVMFuncOp function;
  SmallVector<int32_t> paramBytes;
  int32_t maxThreads, sharedBytes;
};

/// Types of kernel_abi.h.
struct AbiTypes {
  explicit AbiTypes(MLIRContext *context)
      : pointer(LLVM::LLVMPointerType::get(context)),
        i32(IntegerType::get(context, 32)),
        nothing(LLVM::LLVMVoidType::get(context)) {
    Type dims = LLVM::LLVMArrayType::get(i32, 3);
    auto structOf = [&](ArrayRef<Type> fields) {
      return LLVM::LLVMStructType::getLiteral(context, fields);
    };
    functions = structOf(SmallVector<Type>(kNumFunctions, pointer));
    thread = structOf({pointer, pointer, dims, dims, dims, dims});
    kernel = structOf({pointer, pointer, i32, pointer, i32, i32});
    module = structOf({i32, i32, pointer});
  }

  LLVM::LLVMPointerType pointer;
  IntegerType i32;
  LLVM::LLVMVoidType nothing;
  LLVM::LLVMStructType functions, thread, kernel, module;
};

/// Rewrites one kernel.
class KernelSimulator {
public:
  KernelSimulator(LLVM::LLVMFuncOp kernel, const AbiTypes &types)
      : old(kernel), types(types), b(kernel),
        layout(DataLayout::closest(kernel)) {}

  FailureOr<KernelInfo> run();

private:
  void setSignature();
  LogicalResult rewrite(Operation &op);
  void check(Operation *op, Value address, Type type, unsigned alignment,
             uint32_t flags);
  void checkLanes(Operation *op, Value addresses, Value mask, VectorType type,
                  unsigned alignment, uint32_t flags);
  LogicalResult simulateShuffle(NVVM::ShflOp op);
  LogicalResult placeShared(LLVM::AddressOfOp op);
  void removeAddressSpaces();

  Value constant(int32_t value) {
    return LLVM::ConstantOp::create(b, loc, types.i32,
                                    b.getI32IntegerAttr(value));
  }
  Value field(Value base, Type type, ArrayRef<LLVM::GEPArg> indices) {
    return LLVM::GEPOp::create(b, loc, types.pointer, type, base, indices);
  }
  Value loadField(Type fieldType, Value base, Type type,
                  ArrayRef<LLVM::GEPArg> indices) {
    return LLVM::LoadOp::create(b, loc, fieldType, field(base, type, indices));
  }
  Value site() { return constant(numSites++); }
  Operation *call(FunctionField function, Type result, ValueRange arguments);
  unsigned bytesOf(Type type) {
    return layout.getTypeSize(type).getFixedValue();
  }
  unsigned alignmentOf(Type type, std::optional<uint64_t> given) {
    return given && *given ? *given : layout.getTypeABIAlignment(type);
  }

  LLVM::LLVMFuncOp old;
  const AbiTypes &types;
  OpBuilder b;
  DataLayout layout;
  Location loc = old.getLoc();
  KernelInfo info;
  Value thread, functions;
  int32_t numSites = 0;
  /// Where the shared memory of each global begins.
  llvm::MapVector<StringAttr, int32_t> sharedOffsets;
};
} // namespace

Operation *KernelSimulator::call(FunctionField function, Type result,
                                 ValueRange arguments) {
  SmallVector<Value> operands = {
      loadField(types.pointer, functions, types.functions, {0, function}),
      thread};
  llvm::append_range(operands, arguments);
  SmallVector<Type> parameters(
      llvm::drop_begin(ValueRange(operands).getTypes()));
  auto type = LLVM::LLVMFunctionType::get(result, parameters);
  return LLVM::CallOp::create(b, loc, type, operands);
}

/// The parameters are loaded from where the launch has them.
void KernelSimulator::setSignature() {
  auto type = LLVM::LLVMFunctionType::get(types.nothing,
                                          {types.pointer, types.pointer});
  auto kernel = LLVM::LLVMFuncOp::create(b, loc, old.getName(), type);
  kernel.getBody().takeBody(old.getBody());
  info.function = kernel;
  Block &entry = kernel.getBody().front();
  unsigned numParams = entry.getNumArguments();
  thread = entry.insertArgument(0u, types.pointer, loc);
  Value params = entry.insertArgument(1u, types.pointer, loc);
  b.setInsertionPointToStart(&entry);
  functions = loadField(types.pointer, thread, types.thread, {0, kFunctions});
  for (unsigned i : llvm::seq(numParams)) {
    Value param = entry.getArgument(2 + i);
    Value address = loadField(types.pointer, params, types.pointer,
                              {static_cast<int32_t>(i)});
    param.replaceAllUsesWith(
        LLVM::LoadOp::create(b, loc, param.getType(), address));
    info.paramBytes.push_back(bytesOf(param.getType()));
  }
  entry.eraseArguments(2, numParams);
}

void KernelSimulator::check(Operation *op, Value address, Type type,
                            unsigned alignment, uint32_t flags) {
  if (isLocal(address))
    return;
  if (isSharedPointer(address.getType()))
    flags |= JOBSIM_SHARED;
  b.setInsertionPoint(op);
  loc = op->getLoc();
  call(kAccess, types.nothing,
       {address, constant(bytesOf(type)), constant(alignment), constant(flags),
        site()});
}

/// One check for each lane, of no bytes where the mask is off. `addresses` is
/// the address of the first lane, or one for each.
void KernelSimulator::checkLanes(Operation *op, Value addresses, Value mask,
                                 VectorType type, unsigned alignment,
                                 uint32_t flags) {
  if (isLocal(addresses))
    return;
  bool isScattered = isa<VectorType>(addresses.getType());
  if (isSharedPointer(getElementTypeOrSelf(addresses.getType())))
    flags |= JOBSIM_SHARED;
  b.setInsertionPoint(op);
  loc = op->getLoc();
  Type element = type.getElementType();
  Value none = constant(0), bytes = constant(bytesOf(element));
  Value at = site();
  for (int32_t lane : llvm::seq<int32_t>(0, type.getNumElements())) {
    Value number = constant(lane);
    Value address =
        isScattered
            ? Value(LLVM::ExtractElementOp::create(b, loc, addresses, number))
            : Value(LLVM::GEPOp::create(b, loc, addresses.getType(), element,
                                        addresses,
                                        ArrayRef<LLVM::GEPArg>{lane}));
    Value isOn = LLVM::ExtractElementOp::create(b, loc, mask, number);
    Value size = LLVM::SelectOp::create(b, loc, isOn, bytes, none);
    unsigned aligned = isScattered
                           ? alignment
                           : std::min<unsigned>(alignment, bytesOf(element));
    call(kAccess, types.nothing,
         {address, size, constant(aligned), constant(flags), at});
  }
}

LogicalResult KernelSimulator::simulateShuffle(NVVM::ShflOp op) {
  auto mode = [&] {
    switch (op.getKind()) {
    case NVVM::ShflKind::up:
      return JOBSIM_SHUFFLE_UP;
    case NVVM::ShflKind::down:
      return JOBSIM_SHUFFLE_DOWN;
    case NVVM::ShflKind::bfly:
      return JOBSIM_SHUFFLE_XOR;
    case NVVM::ShflKind::idx:
      return JOBSIM_SHUFFLE_INDEX;
    }
    llvm_unreachable("unknown kind of shuffle");
  }();
  Type type = op.getVal().getType();
  bool isFloat = type.isF32();
  Value value = op.getVal();
  if (isFloat)
    value = LLVM::BitcastOp::create(b, loc, types.i32, value);
  Value result = call(kShuffle, types.i32,
                      {op.getThreadMask(), constant(mode), value,
                       op.getOffset(), op.getMaskAndClamp(), site()})
                     ->getResult(0);
  if (isFloat)
    result = LLVM::BitcastOp::create(b, loc, type, result);
  if (!isa<LLVM::LLVMStructType>(op.getType())) {
    op.replaceAllUsesWith(result);
    op.erase();
    return success();
  }
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto extract = dyn_cast<LLVM::ExtractValueOp>(user);
    if (!extract || extract.getPosition() != ArrayRef<int64_t>{0})
      return op.emitOpError("expects users of its value alone, as the "
                            "simulated CUDA does not say whether it is valid");
    extract.replaceAllUsesWith(result);
    extract.erase();
  }
  op.erase();
  return success();
}

LogicalResult KernelSimulator::placeShared(LLVM::AddressOfOp op) {
  b.setInsertionPoint(op);
  loc = op.getLoc();
  auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      op, op.getGlobalNameAttr());
  if (!global || global.getAddrSpace() != kSharedSpace)
    return op.emitOpError("expects a global in shared memory but got '")
           << op.getGlobalName() << "'";
  Type type = global.getGlobalType();
  auto [place, isNew] =
      sharedOffsets.insert({op.getGlobalNameAttr().getAttr(), 0});
  if (isNew) {
    place->second = llvm::alignTo(info.sharedBytes,
                                  alignmentOf(type, global.getAlignment()));
    info.sharedBytes = place->second + static_cast<int32_t>(bytesOf(type));
  }
  Value base = loadField(types.pointer, thread, types.thread, {0, kShared});
  Value address = field(base, b.getI8Type(), {place->second});
  op.getResult().setType(types.pointer);
  op.replaceAllUsesWith(address);
  op.erase();
  return success();
}

LogicalResult KernelSimulator::rewrite(Operation &op) {
  b.setInsertionPoint(&op);
  loc = op.getLoc();
  if (auto place = getThreadField(&op)) {
    op.getResult(0).replaceAllUsesWith(loadField(
        types.i32, thread, types.thread, {0, place->first, place->second}));
    op.erase();
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](LLVM::LoadOp load) {
        check(load, load.getAddr(), load.getType(),
              alignmentOf(load.getType(), load.getAlignment()), 0);
        return success();
      })
      .Case([&](LLVM::StoreOp store) {
        Type type = store.getValue().getType();
        check(store, store.getAddr(), type,
              alignmentOf(type, store.getAlignment()), JOBSIM_WRITE);
        return success();
      })
      .Case([&](LLVM::AtomicRMWOp update) {
        Type type = update.getType();
        check(update, update.getPtr(), type,
              alignmentOf(type, update.getAlignment()),
              JOBSIM_WRITE | JOBSIM_ATOMIC);
        return success();
      })
      .Case([&](LLVM::MaskedLoadOp load) {
        checkLanes(load, load.getData(), load.getMask(),
                   cast<VectorType>(load.getType()), load.getAlignment(), 0);
        return success();
      })
      .Case([&](LLVM::MaskedStoreOp store) {
        checkLanes(store, store.getData(), store.getMask(),
                   cast<VectorType>(store.getValue().getType()),
                   store.getAlignment(), JOBSIM_WRITE);
        return success();
      })
      .Case([&](LLVM::masked_gather gather) {
        checkLanes(gather, gather.getPtrs(), gather.getMask(),
                   cast<VectorType>(gather.getType()), gather.getAlignment(),
                   0);
        return success();
      })
      .Case([&](LLVM::masked_scatter scatter) {
        checkLanes(scatter, scatter.getPtrs(), scatter.getMask(),
                   cast<VectorType>(scatter.getValue().getType()),
                   scatter.getAlignment(), JOBSIM_WRITE);
        return success();
      })
      .Case([&](NVVM::Barrier0Op barrier) {
        call(kBarrier, types.nothing, site());
        barrier.erase();
        return success();
      })
      .Case([&](NVVM::ShflOp shuffle) { return simulateShuffle(shuffle); })
      .Default([&](Operation *other) -> LogicalResult {
        // Whatever else accesses memory would do so without a check.
        if (isa<NVVM::NVVMDialect>(other->getDialect()) ||
            isa<LLVM::CallOp, LLVM::InvokeOp, LLVM::InlineAsmOp,
                LLVM::AtomicCmpXchgOp, LLVM::CallIntrinsicOp>(other) ||
            (!isMemoryEffectFree(other) &&
             !isa<LLVM::AllocaOp, LLVM::AssumeOp>(other)))
          return other->emitOpError("has no counterpart in the simulated CUDA");
        return success();
      });
}

/// On the host all memory is in one address space.
void KernelSimulator::removeAddressSpaces() {
  auto convert = [&](Value value) {
    if (isSharedPointer(value.getType()))
      value.setType(types.pointer);
  };
  info.function.walk([&](Block *block) {
    llvm::for_each(block->getArguments(), convert);
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      llvm::for_each(op.getResults(), convert);
      if (auto cast = dyn_cast<LLVM::AddrSpaceCastOp>(op);
          cast && cast.getType() == cast.getArg().getType()) {
        cast.replaceAllUsesWith(cast.getArg());
        cast.erase();
      }
    }
  });
}

FailureOr<KernelInfo> KernelSimulator::run() {
  auto threads = old->getAttrOfType<DenseI32ArrayAttr>(
      NVVM::NVVMDialect::getMaxntidAttrName());
  if (!threads)
    return old.emitOpError("expects the number of threads of a block, '")
           << NVVM::NVVMDialect::getMaxntidAttrName() << "'";
  info.maxThreads = 1;
  for (int32_t extent : threads.asArrayRef())
    info.maxThreads *= extent;
  info.sharedBytes = 0;
  SmallVector<Operation *> ops;
  old.walk([&](Operation *op) {
    // Extractions stay as they are, or a shuffle erases them with itself.
    if (op != old.getOperation() && !op->hasTrait<OpTrait::IsTerminator>() &&
        !isa<LLVM::ExtractValueOp>(op))
      ops.push_back(op);
  });
  setSignature();
  // In the order of the text, which numbers the sites. The types of pointers
  // tell accesses to shared memory until all have been rewritten.
  SmallVector<LLVM::AddressOfOp> addresses;
  for (Operation *op : ops) {
    if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
      addresses.push_back(address);
    else if (failed(rewrite(*op)))
      return failure();
  }
  for (LLVM::AddressOfOp address : addresses)
    if (failed(placeShared(address)))
      return failure();
  removeAddressSpaces();
  old.erase();
  return info;
}

namespace {
struct SimulateCUDAKernelsPass
    : public job::impl::SimulateCUDAKernelsBase<SimulateCUDAKernelsPass> {
  void runOnOperation() override;
};
} // namespace

/// A constant with the value that `build` returns.
static LLVM::GlobalOp createGlobal(OpBuilder &b, Location loc, Type type,
                                   LLVM::Linkage linkage, StringRef name,
                                   function_ref<Value()> build) {
  auto global = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                       linkage, name, Attribute());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&global.getInitializerRegion());
  LLVM::ReturnOp::create(b, loc, build());
  return global;
}

/// The aggregate of some values.
static Value aggregate(OpBuilder &b, Location loc, Type type,
                       ValueRange values) {
  Value result = LLVM::UndefOp::create(b, loc, type);
  for (auto [index, value] : llvm::enumerate(values))
    result = LLVM::InsertValueOp::create(b, loc, result, value,
                                         static_cast<int64_t>(index));
  return result;
}

/// The symbol of the module, from which the simulated CUDA finds the kernels.
static void describe(gpu::GPUModuleOp module, ArrayRef<KernelInfo> kernels,
                     const AbiTypes &types) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  auto number = [&](int32_t value) -> Value {
    return LLVM::ConstantOp::create(b, loc, types.i32,
                                    b.getI32IntegerAttr(value));
  };
  auto addressOf = [&](Operation *symbol) -> Value {
    return LLVM::AddressOfOp::create(b, loc, types.pointer,
                                     SymbolTable::getSymbolName(symbol));
  };
  SmallVector<std::pair<LLVM::GlobalOp, LLVM::GlobalOp>> parts;
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    std::string name(LLVM::LLVMFuncOp(kernel.function).getName());
    name.push_back('\0');
    auto text = LLVM::GlobalOp::create(
        b, loc, LLVM::LLVMArrayType::get(b.getI8Type(), name.size()),
        /*isConstant=*/true, LLVM::Linkage::Private,
        (JOBSIM_MODULE_SYMBOL "_name_" + Twine(i)).str(),
        b.getStringAttr(name));
    auto count = static_cast<int64_t>(kernel.paramBytes.size());
    auto type = LLVM::LLVMArrayType::get(types.i32, count);
    LLVM::GlobalOp bytes = createGlobal(
        b, loc, type, LLVM::Linkage::Private,
        (JOBSIM_MODULE_SYMBOL "_params_" + Twine(i)).str(), [&] {
          return aggregate(b, loc, type,
                           llvm::map_to_vector(kernel.paramBytes, number));
        });
    parts.push_back({text, bytes});
  }
  auto tableType = LLVM::LLVMArrayType::get(types.kernel, kernels.size());
  LLVM::GlobalOp table = createGlobal(
      b, loc, tableType, LLVM::Linkage::Private,
      JOBSIM_MODULE_SYMBOL "_kernels", [&] {
        SmallVector<Value> rows;
        for (auto [kernel, part] : llvm::zip(kernels, parts))
          rows.push_back(
              aggregate(b, loc, types.kernel,
                        {addressOf(part.first), addressOf(kernel.function),
                         number(static_cast<int32_t>(kernel.paramBytes.size())),
                         addressOf(part.second), number(kernel.maxThreads),
                         number(kernel.sharedBytes)}));
        return aggregate(b, loc, tableType, rows);
      });
  createGlobal(b, loc, types.module, LLVM::Linkage::External,
               JOBSIM_MODULE_SYMBOL, [&] {
                 return aggregate(b, loc, types.module,
                                  {number(JOBSIM_ABI_VERSION),
                                   number(static_cast<int32_t>(kernels.size())),
                                   addressOf(table)});
               });
}

/// The functions that LLVM calls to convert floats of 16 bits where the
/// processor has no instruction for it. GPUs have instructions for most;
/// libraries of compilers lack some of the functions.
static LogicalResult addNarrowFloatFunctions(gpu::GPUModuleOp module) {
  ImplicitLocOpBuilder b =
      ImplicitLocOpBuilder::atBlockEnd(module.getLoc(), module.getBody());
  Type f16 = b.getF16Type(), bf16 = b.getBF16Type(), f32 = b.getF32Type(),
       f64 = b.getF64Type();
  const std::tuple<StringRef, Type, Type> signatures[] = {
      {"__extendhfsf2", f16, f32},
      {"__truncsfhf2", f32, f16},
      {"__truncdfhf2", f64, f16},
      {"__truncsfbf2", f32, bf16},
      {"__truncdfbf2", f64, bf16}};
  for (auto [name, from, to] : signatures) {
    OpBuilder::InsertionGuard guard(b);
    auto function = LLVM::LLVMFuncOp::create(
        b, name, LLVM::LLVMFunctionType::get(to, {from}));
    b.setInsertionPointToStart(function.addEntryBlock(b));
    Value number = function.getArgument(0);
    Value result = from == f16
                       ? arith::ExtFOp::create(b, to, number).getResult()
                       : arith::TruncFOp::create(b, to, number).getResult();
    LLVM::ReturnOp::create(b, result);
    expandNarrowConversions(function);
  }
  LLVMTypeConverter types(module.getContext());
  RewritePatternSet patterns(module.getContext());
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  ConversionTarget target(*module.getContext());
  target.addLegalDialect<LLVM::LLVMDialect>();
  target.addIllegalDialect<arith::ArithDialect, math::MathDialect>();
  return applyPartialConversion(module, target, std::move(patterns));
}

static bool hasNarrowFloats(gpu::GPUModuleOp module) {
  auto isNarrow = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isBF16() || element.isF16();
  };
  return module
      .walk([&](Operation *op) {
        return llvm::any_of(op->getResultTypes(), isNarrow)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void SimulateCUDAKernelsPass::runOnOperation() {
  gpu::GPUModuleOp module = getOperation();
  AbiTypes types(&getContext());
  SmallVector<KernelInfo> kernels;
  for (auto kernel :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>())) {
    // Calls of it are refused.
    if (kernel.isExternal())
      continue;
    FailureOr<KernelInfo> info = KernelSimulator(kernel, types).run();
    if (failed(info))
      return signalPassFailure();
    kernels.push_back(*info);
  }
  for (auto global :
       llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
    if (global.getAddrSpace() == kSharedSpace)
      global.erase();
  describe(module, kernels, types);
  if (hasNarrowFloats(module) && failed(addNarrowFloatFunctions(module)))
    signalPassFailure();
}
