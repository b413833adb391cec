//===- LowerCUDAKernels.cpp - Kernels to the NVVM dialect -----------------===//

#include "../KernelCanonicalizer.h"

#include "JobDialect/Conversion/Passes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Targets.h"
#include "jobrt/abi.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

#include <array>
#include <map>

namespace mlir::job {
#define GEN_PASS_DEF_LOWERCUDAKERNELS
#include "JobDialect/Conversion/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// Shared memory is accessed in vectors of at most so many bytes.
static constexpr int64_t kSharedAlignment = 16;
/// The bytes of shared memory that a block of every GPU has without asking.
static constexpr int64_t kMaxSharedBytes = 48 << 10;

/// Leaves the gpu dialect and what the LLVM dialect has itself.
static void buildPreparation(OpPassManager &pm) {
  // Subviews and casts become arithmetic on offsets.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createKernelCanonicalizer());
  pm.addPass(createCSEPass());
}

static void buildCleanup(OpPassManager &pm) {
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Operations on vectors that the conversion to the LLVM dialect does not have,
/// and masked accesses. LLVM 22 makes a load of all lanes, without the values
/// for those that are off, where a mask is constant and the address aligned; a
/// mask may be constant only after its own passes.
static LogicalResult lowerVectors(gpu::GPUModuleOp kernels) {
  RewritePatternSet patterns(kernels.getContext());
  vector::populateVectorMaskedLoadStoreEmulationPatterns(patterns);
  vector::populateVectorGatherLoweringPatterns(patterns);
  vector::populateVectorGatherToConditionalLoadPatterns(patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorMaskMaterializationPatterns(
      patterns, /*force32BitVectorIndices=*/true);
  vector::populateVectorStepLoweringPatterns(patterns);
  return applyPatternsGreedily(kernels, std::move(patterns));
}

/// Kernels to the LLVM and NVVM dialects, with bare pointers. Not
/// convert-gpu-to-nvvm, which calls a library of CUDA for operations that are
/// instructions, such as square roots.
static LogicalResult convertToNVVM(ArrayRef<Operation *> kernels,
                                   unsigned indexBits) {
  MLIRContext *context = kernels.front()->getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  options.overrideIndexBitwidth(indexBits);
  LLVMTypeConverter types(context, options);
  configureGpuToNVVMTypeConverter(types);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns,
                                       /*approximateLog1p=*/false,
                                       /*benefit=*/2);
  populateGpuToNVVMConversionPatterns(types, patterns, /*benefit=*/1);
  ConversionTarget target(*context);
  target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect,
                           gpu::GPUDialect, math::MathDialect,
                           memref::MemRefDialect, vector::VectorDialect>();
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addLegalOp<UnrealizedConversionCastOp>();
  return applyPartialConversion(kernels, target, std::move(patterns));
}

namespace {
struct LowerCUDAKernelsPass
    : public job::impl::LowerCUDAKernelsBase<LowerCUDAKernelsPass> {
  using LowerCUDAKernelsBase::LowerCUDAKernelsBase;

  /// A pipeline that a pass runs itself must have its dialects loaded before.
  void getDependentDialects(DialectRegistry &registry) const override {
    LowerCUDAKernelsBase::getDependentDialects(registry);
    OpPassManager pm(gpu::GPUModuleOp::getOperationName());
    buildPreparation(pm);
    buildCleanup(pm);
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override;

private:
  FailureOr<ArrayAttr> getTargets();
};
} // namespace

/// The attributes of the pass's targets; null if there are none.
FailureOr<ArrayAttr> LowerCUDAKernelsPass::getTargets() {
  MLIRContext *context = &getContext();
  SmallVector<Attribute> attributes;
  for (StringRef name : targets) {
    if (name == kSimulatedTarget) {
      attributes.push_back(
          plan::SimulatedCUDAAttr::get(context, cpu, features));
      continue;
    }
    StringRef version = name;
    bool isText = version.consume_front(kPTXPrefix);
    bool isKnown = isText || version.consume_front(kChipPrefix);
    const GPUTarget *found =
        llvm::find_if(kGPUTargets, [&](const GPUTarget &gpu) {
          return gpu.chip.drop_front(kChipPrefix.size()) == version;
        });
    if (!isKnown || found == std::end(kGPUTargets)) {
      auto error = getOperation().emitError("expects targets that are ");
      for (const GPUTarget &gpu : kGPUTargets)
        error << gpu.chip << ", ";
      return error << "the same with " << kPTXPrefix << " in place of "
                   << kChipPrefix << ", or " << kSimulatedTarget << " but got '"
                   << name << "'";
    }
    if (isText) {
      attributes.push_back(
          plan::PTXAttr::get(context, found->chip, found->ptx));
      continue;
    }
    attributes.push_back(NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3,
                                                   "nvptx64-nvidia-cuda",
                                                   found->chip, found->ptx));
  }
  // Code for each GPU once.
  SmallVector<Attribute> unique =
      llvm::SetVector<Attribute>(attributes.begin(), attributes.end())
          .takeVector();
  if (unique.empty())
    return ArrayAttr();
  return ArrayAttr::get(context, unique);
}

/// Threads of other warps run while one waits for memory.
static void removePrefetches(func::FuncOp code) {
  code.walk([](memref::PrefetchOp prefetch) { prefetch.erase(); });
}

namespace {
/// The code of a kernel of a launch.
struct LaunchPart {
  plan::VariantOp variant;
  /// The parameter of the launch for each argument of the code but the chunk.
  SmallVector<unsigned> parameters;

  plan::CUDAScheduleAttr getSchedule() {
    return cast<plan::CUDAScheduleAttr>(variant.getScheduleAttr());
  }
};

/// Makes a kernel of the gpu dialect of the code of one or several: each has a
/// range of the blocks.
class KernelBuilder {
public:
  KernelBuilder(StringRef name, ArrayRef<LaunchPart> parts,
                ArrayRef<Type> parameters, OpBuilder &builder)
      : name(name), parts(parts), parameters(parameters), builder(builder) {}

  LogicalResult build();

private:
  void setAttributes(Location loc);
  LogicalResult emitParts(Value block);
  LogicalResult emitPart(LaunchPart part, Value chunk);
  void mapSharedMemory(func::FuncOp code, IRMapping &mapping);

  StringRef name;
  ArrayRef<LaunchPart> parts;
  ArrayRef<Type> parameters;
  OpBuilder &builder;
  gpu::GPUFuncOp kernel;
  int64_t threads = 0;
};
} // namespace

/// What a kernel has in shared memory.
static SmallVector<memref::AllocaOp> getSharedMemory(func::FuncOp code) {
  SmallVector<memref::AllocaOp> allocas;
  code.walk([&](memref::AllocaOp alloca) {
    if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloca.getType()))
      allocas.push_back(alloca);
  });
  return allocas;
}

static int64_t getSharedBytes(MemRefType type) {
  return llvm::alignTo(plan::getBufferBytes(type), kSharedAlignment);
}

static int64_t getSharedBytes(plan::VariantOp variant) {
  int64_t bytes = 0;
  for (memref::AllocaOp alloca : getSharedMemory(variant.getCode()))
    bytes += getSharedBytes(alloca.getType());
  return bytes;
}

/// The types of a kernel's shared memory. Blocks of several parts use the same
/// bytes.
static SmallVector<Type> getSharedTypes(ArrayRef<LaunchPart> parts,
                                        OpBuilder &builder) {
  SmallVector<Type> types;
  int64_t most = 0;
  for (LaunchPart part : parts) {
    for (memref::AllocaOp alloca : getSharedMemory(part.variant.getCode()))
      types.push_back(alloca.getType());
    most = std::max(most, getSharedBytes(part.variant));
  }
  if (parts.size() == 1 || most == 0)
    return types;
  auto space = cast<MemRefType>(types.front()).getMemorySpace();
  return {MemRefType::get({most}, builder.getI8Type(),
                          MemRefLayoutAttrInterface(), space)};
}

LogicalResult KernelBuilder::build() {
  SmallVector<Location> locs;
  for (LaunchPart part : parts) {
    if (!isa_and_nonnull<plan::CUDAScheduleAttr>(
            part.variant.getScheduleAttr()))
      return part.variant.emitOpError(
          "expects a #plan.cuda_schedule, which says how many threads a block "
          "has, but got none");
    if (int64_t bytes = getSharedBytes(part.variant); bytes > kMaxSharedBytes)
      return part.variant.emitOpError()
             << "expects a block to have at most " << kMaxSharedBytes
             << " bytes of shared memory but got " << bytes
             << " for this schedule";
    threads = std::max(threads, part.getSchedule().getThreads());
    locs.push_back(part.variant.getCode().getLoc());
  }
  Location loc = builder.getFusedLoc(locs);
  kernel = gpu::GPUFuncOp::create(builder, loc, name,
                                  builder.getFunctionType(parameters, {}),
                                  getSharedTypes(parts, builder));
  setAttributes(loc);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  if (failed(emitParts(block)))
    return failure();
  gpu::ReturnOp::create(builder, loc);
  return success();
}

void KernelBuilder::setAttributes(Location loc) {
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  // The plan's buffers never overlap and start at cache lines; those of several
  // parts may be one that all of them read.
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    if (!isa<MemRefType>(type))
      continue;
    kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
    kernel.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(JOBRT_ALIGNMENT));
  }
  for (unsigned i : llvm::seq(kernel.getNumWorkgroupAttributions()))
    kernel.setWorkgroupAttributionAttr(
        i, LLVM::LLVMDialect::getAlignAttrName(),
        builder.getI64IntegerAttr(kSharedAlignment));
}

/// Each part but the last one is in a branch for its blocks.
LogicalResult KernelBuilder::emitParts(Value block) {
  OpBuilder::InsertionGuard guard(builder);
  int64_t begin = 0;
  for (unsigned i : llvm::seq(parts.size())) {
    plan::VariantOp variant = parts[i].variant;
    Location loc = variant.getCode().getLoc();
    int64_t end = begin + *variant.getChunks();
    scf::IfOp branch;
    if (i + 1 < parts.size()) {
      Value isOwn = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, block,
          arith::ConstantIndexOp::create(builder, loc, end));
      branch = scf::IfOp::create(builder, loc, isOwn, /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    Value chunk = block;
    if (begin > 0)
      chunk = arith::SubIOp::create(
          builder, loc, block,
          arith::ConstantIndexOp::create(builder, loc, begin));
    if (failed(emitPart(parts[i], chunk)))
      return failure();
    if (branch)
      builder.setInsertionPointToStart(branch.elseBlock());
    begin = end;
  }
  return success();
}

LogicalResult KernelBuilder::emitPart(LaunchPart part, Value chunk) {
  OpBuilder::InsertionGuard guard(builder);
  func::FuncOp code = part.variant.getCode();
  Location loc = code.getLoc();
  int64_t own = part.getSchedule().getThreads();
  if (own < threads) {
    bool waits = code.walk([](Operation *op) {
                       return isa<gpu::BarrierOp, gpu::ShuffleOp>(op)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
    if (waits)
      return part.variant.emitOpError()
             << "expects " << threads << " threads, as the launch has that it "
             << "joins, since its threads wait for each other, but got " << own;
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value isOwn = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, thread,
        arith::ConstantIndexOp::create(builder, loc, own));
    auto branch =
        scf::IfOp::create(builder, loc, isOwn, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  IRMapping mapping;
  for (auto [argument, parameter] :
       llvm::zip(code.getArguments().drop_back(), part.parameters))
    mapping.map(argument, kernel.getArgument(parameter));
  mapping.map(code.getArguments().back(), chunk);
  mapSharedMemory(code, mapping);
  for (Operation &op : code.getBody().front().without_terminator()) {
    auto alloca = dyn_cast<memref::AllocaOp>(op);
    if (!alloca || !mapping.contains(alloca.getResult()))
      builder.clone(op, mapping);
  }
  return success();
}

void KernelBuilder::mapSharedMemory(func::FuncOp code, IRMapping &mapping) {
  int64_t offset = 0;
  for (auto [index, alloca] : llvm::enumerate(getSharedMemory(code))) {
    Value memory;
    if (parts.size() == 1) {
      memory = kernel.getWorkgroupAttributions()[index];
    } else {
      Location loc = alloca.getLoc();
      memory = memref::ViewOp::create(
          builder, loc, alloca.getType(), kernel.getWorkgroupAttributions()[0],
          arith::ConstantIndexOp::create(builder, loc, offset), ValueRange());
      offset += getSharedBytes(alloca.getType());
    }
    mapping.map(alloca.getResult(), memory);
  }
}

/// What indices of 32 bits may be at most, so that the sum of two has no
/// overflow.
static constexpr int64_t kMaxNarrowIndex =
    std::numeric_limits<int32_t>::max() / 2;

/// Whether a constant is an index, or a vector of indices, of which one needs
/// 64 bits.
static bool isWideIndex(TypedAttr constant) {
  auto isWide = [](const APInt &value) {
    return std::abs(value.getSExtValue()) > kMaxNarrowIndex;
  };
  if (!isa<IndexType>(getElementTypeOrSelf(constant.getType())))
    return false;
  if (auto elements = dyn_cast<DenseIntElementsAttr>(constant))
    return llvm::any_of(elements, isWide);
  return isWide(cast<IntegerAttr>(constant).getValue());
}

/// The bits of an index that is in the range of all elements of all buffers,
/// and of the numbers that it is computed from.
static unsigned getIndexBits(gpu::GPUFuncOp kernel) {
  bool isWide = llvm::any_of(kernel.getArgumentTypes(), [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return memref && memref.getNumElements() > kMaxNarrowIndex;
  });
  // The points of a domain may be more than the elements of all buffers.
  isWide |= kernel
                .walk([](arith::ConstantOp constant) {
                  return isWideIndex(constant.getValue())
                             ? WalkResult::interrupt()
                             : WalkResult::advance();
                })
                .wasInterrupted();
  isWide |=
      kernel
          .walk([](Operation *op) {
            bool isNarrowed =
                isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
                getElementTypeOrSelf(op->getOperand(0)).isInteger(64);
            return isNarrowed ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  return isWide ? 64 : 32;
}

/// Converts the kernels of each width of indices.
static LogicalResult convertKernels(gpu::GPUModuleOp kernels) {
  std::map<unsigned, SmallVector<Operation *>> widths;
  for (auto kernel : kernels.getOps<gpu::GPUFuncOp>())
    widths[getIndexBits(kernel)].push_back(kernel);
  for (const auto &[bits, ops] : widths)
    if (failed(convertToNVVM(ops, bits)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The dispatches of each launch of a module.
static std::vector<SmallVector<plan::DispatchOp>> getLaunches(ModuleOp module) {
  std::vector<SmallVector<plan::DispatchOp>> launches;
  for (auto program : module.getOps<plan::ProgramOp>())
    for (plan::PlanCommandOpInterface command : plan::getCommands(program)) {
      auto dispatch = dyn_cast<plan::DispatchOp>(*command);
      if (!dispatch)
        continue;
      if (!dispatch.getJoined() || launches.empty())
        launches.emplace_back();
      launches.back().push_back(dispatch);
    }
  return launches;
}

/// Whether all kernels have code for CUDA that is not lowered.
static bool isLowerable(ArrayRef<plan::DispatchOp> launch,
                        SymbolTableCollection &symbols) {
  return llvm::all_of(launch, [&](plan::DispatchOp dispatch) {
    auto executable = symbols.lookupNearestSymbolFrom<plan::ExecutableOp>(
        dispatch->getParentOp(), dispatch.getKernelAttr());
    plan::VariantOp variant =
        executable ? executable.getVariant(kCUDATarget) : plan::VariantOp();
    return variant && variant.getCode() && variant.getChunks() &&
           plan::getTarget(dispatch) == kCUDATarget;
  });
}

/// Buffers that are read, then those that are read and written, then those that
/// are written, as a dispatch has them.
static SmallVector<SmallVector<Value>>
getOperandsByKind(ArrayRef<plan::DispatchOp> launch) {
  SmallVector<SmallVector<Value>> kinds(3);
  for (plan::DispatchOp dispatch : launch) {
    llvm::append_range(kinds[0], dispatch.getIns());
    llvm::append_range(kinds[1], dispatch.getInouts());
    llvm::append_range(kinds[2], dispatch.getOuts());
  }
  return kinds;
}

/// The parts of the kernel of a launch, and the types of its parameters.
static SmallVector<LaunchPart> getParts(ArrayRef<plan::DispatchOp> launch,
                                        SymbolTableCollection &symbols,
                                        SmallVector<Type> &types) {
  SmallVector<SmallVector<Value>> kinds = getOperandsByKind(launch);
  // Where the operands of the next dispatch are, by kind, and its scalars.
  std::array<unsigned, 4> next{};
  for (unsigned kind : llvm::seq(kinds.size()))
    next[kind + 1] = next[kind] + kinds[kind].size();
  types.assign(next[3], Type());
  SmallVector<LaunchPart> parts;
  for (plan::DispatchOp dispatch : launch) {
    auto executable = symbols.lookupNearestSymbolFrom<plan::ExecutableOp>(
        dispatch->getParentOp(), dispatch.getKernelAttr());
    LaunchPart &part = parts.emplace_back();
    part.variant = executable.getVariant(kCUDATarget);
    std::array<size_t, 4> counts{
        dispatch.getIns().size(), dispatch.getInouts().size(),
        dispatch.getOuts().size(), dispatch.getScalarTypes().size()};
    for (auto [kind, count] : llvm::enumerate(counts))
      for (unsigned i = 0; i < count; ++i)
        part.parameters.push_back(next[kind]++);
    ArrayRef<Type> arguments = part.variant.getCode().getArgumentTypes();
    for (auto [parameter, type] : llvm::zip(part.parameters, arguments)) {
      types.resize(std::max<size_t>(types.size(), parameter + 1));
      types[parameter] = type;
    }
  }
  return parts;
}

/// An executable with the kernel of a launch.
static plan::ExecutableOp createExecutable(gpu::GPUModuleOp kernels,
                                           StringRef name,
                                           MutableArrayRef<LaunchPart> parts,
                                           OpBuilder &builder) {
  Location loc = kernels.getLoc();
  int64_t threads = 0, blocks = 0;
  for (LaunchPart &part : parts) {
    threads = std::max(threads, part.getSchedule().getThreads());
    blocks += *part.variant.getChunks();
  }
  auto executable = plan::ExecutableOp::create(builder, loc, name);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&executable.getRegion());
  auto schedule = plan::CUDAScheduleAttr::get(
      builder.getContext(), blocks, threads, /*lanes=*/1, /*vectorize=*/{},
      plan::kDefaultAccumulate, /*transpose=*/std::nullopt);
  plan::VariantOp::create(
      builder, loc, builder.getStringAttr(kCUDATarget),
      cast<plan::ScheduleAttrInterface>(schedule),
      builder.getI64IntegerAttr(blocks),
      SymbolRefAttr::get(kernels.getSymNameAttr(),
                         FlatSymbolRefAttr::get(builder.getContext(), name)));
  return executable;
}

/// One dispatch in the place of those of a launch.
static void replaceLaunch(ArrayRef<plan::DispatchOp> launch, StringRef kernel) {
  // Buffers may be between the dispatches.
  OpBuilder builder(launch.back());
  SmallVector<SmallVector<Value>> kinds = getOperandsByKind(launch);
  SmallVector<Location> locs;
  SmallVector<Attribute> scalars;
  int64_t flops = 0;
  for (plan::DispatchOp dispatch : launch) {
    locs.push_back(dispatch.getLoc());
    flops += dispatch.getFlops().value_or(0);
    if (ArrayAttr own = dispatch.getScalarsAttr())
      llvm::append_range(scalars, own);
  }
  plan::DispatchOp::create(
      builder, builder.getFusedLoc(locs),
      FlatSymbolRefAttr::get(builder.getContext(), kernel),
      builder.getI64IntegerAttr(flops), kinds[0], kinds[1], kinds[2],
      scalars.empty() ? ArrayAttr() : builder.getArrayAttr(scalars),
      /*checks=*/nullptr, /*epilogue=*/nullptr, /*joined=*/nullptr,
      plan::DispatchOp(launch.front()).getQueueAttr());
  for (plan::DispatchOp dispatch : launch)
    dispatch.erase();
}

/// Makes kernels of launches with several dispatches, one for each list of
/// kernels, and removes the executables that nothing else uses.
static LogicalResult lowerLaunches(ModuleOp module, gpu::GPUModuleOp kernels) {
  SymbolTableCollection symbols;
  SymbolTable &table = symbols.getSymbolTable(module);
  // By the members with the numbers of their operands of each kind, which the
  // order of the parameters depends on.
  using Member = std::tuple<StringRef, size_t, size_t, size_t>;
  std::map<std::vector<Member>, std::string> names;
  llvm::SetVector<plan::ExecutableOp> joined;
  unsigned number = 0;
  for (ArrayRef<plan::DispatchOp> launch : getLaunches(module)) {
    if (launch.size() < 2 || !isLowerable(launch, symbols))
      continue;
    std::vector<Member> members;
    for (plan::DispatchOp dispatch : launch)
      members.emplace_back(dispatch.getKernelAttr().getAttr().getValue(),
                           dispatch.getIns().size(),
                           dispatch.getInouts().size(),
                           dispatch.getOuts().size());
    SmallVector<Type> types;
    SmallVector<LaunchPart> parts = getParts(launch, symbols, types);
    for (LaunchPart &part : parts)
      joined.insert(cast<plan::ExecutableOp>(part.variant->getParentOp()));
    std::string &name = names[members];
    if (name.empty()) {
      do
        name = "launch_" + std::to_string(number++);
      while (table.lookup(name));
      OpBuilder builder = OpBuilder::atBlockEnd(kernels.getBody());
      if (failed(KernelBuilder(name, parts, types, builder).build()))
        return failure();
      builder.setInsertionPoint(kernels);
      createExecutable(kernels, name, parts, builder);
    }
    replaceLaunch(launch, name);
  }
  llvm::StringSet<> used;
  module.walk(
      [&](plan::DispatchOp dispatch) { used.insert(dispatch.getKernel()); });
  for (plan::ExecutableOp executable : joined)
    if (!used.contains(executable.getSymName()))
      executable.erase();
  return success();
}

/// The kernel of an executable alone.
static LogicalResult lowerKernel(plan::ExecutableOp executable,
                                 plan::VariantOp variant, OpBuilder &builder) {
  ArrayRef<Type> types = variant.getCode().getArgumentTypes().drop_back();
  LaunchPart part{variant, llvm::to_vector(llvm::seq<unsigned>(types.size()))};
  return KernelBuilder(executable.getSymName(), part, types, builder).build();
}

/// The variants for CUDA that have code which is not lowered.
static SmallVector<plan::VariantOp> getVariants(ModuleOp module) {
  SmallVector<plan::VariantOp> variants;
  for (auto executable : module.getOps<plan::ExecutableOp>())
    if (plan::VariantOp variant = executable.getVariant(kCUDATarget);
        variant && variant.getCode())
      variants.push_back(variant);
  return variants;
}

void LowerCUDAKernelsPass::runOnOperation() {
  ModuleOp module = getOperation();
  FailureOr<ArrayAttr> targetAttrs = getTargets();
  if (failed(targetAttrs))
    return signalPassFailure();
  SmallVector<plan::VariantOp> variants = getVariants(module);
  if (variants.empty())
    return;
  for (plan::VariantOp variant : variants)
    removePrefetches(variant.getCode());
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto kernels =
      gpu::GPUModuleOp::create(builder, module.getLoc(), plan::kCUDAModuleName);
  // A job may have this name.
  SymbolTable(module).insert(kernels);
  if (failed(lowerLaunches(module, kernels)))
    return signalPassFailure();
  variants = getVariants(module);
  builder.setInsertionPointToEnd(kernels.getBody());
  for (plan::VariantOp variant : variants) {
    auto executable = cast<plan::ExecutableOp>(variant->getParentOp());
    if (failed(lowerKernel(executable, variant, builder)))
      return signalPassFailure();
  }
  StringRef name = gpu::GPUModuleOp::getOperationName();
  OpPassManager preparation(name), cleanup(name);
  buildPreparation(preparation);
  buildCleanup(cleanup);
  if (failed(lowerVectors(kernels)) ||
      failed(runPipeline(preparation, kernels)) ||
      failed(convertKernels(kernels)) || failed(runPipeline(cleanup, kernels)))
    return signalPassFailure();
  kernels.setTargetsAttr(*targetAttrs);
  for (plan::VariantOp variant : variants) {
    variant.getCode().erase();
    auto executable = cast<plan::ExecutableOp>(variant->getParentOp());
    variant.setFunctionAttr(SymbolRefAttr::get(
        kernels.getSymNameAttr(),
        FlatSymbolRefAttr::get(executable.getSymNameAttr())));
    // What follows trusts the code; the body has no more use.
    if (func::FuncOp body = executable.getBody();
        body && plan::isLowered(executable))
      body.erase();
  }
}
