//===- KernelTest.cpp - Runs the kernel of one op -------------------------===//

#include "KernelTest.h"

#include "Linker.h"
#include "ObjectEmission.h"

#include "JobDialect/Codegen/Schedule.h"
#include "JobDialect/Conversion/Passes.h"
#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Reference/Interpreter.h"
#include "JobDialect/Support/Targets.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;
using namespace mlir::job;

/// The text of a job with the op alone.
static std::string buildText(StringRef op, ArrayRef<std::string> operands) {
  std::string text = "job.func @f(";
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(llvm::enumerate(operands), stream, [&](auto operand) {
    stream << "%" << operand.index() << ": " << operand.value();
  });
  stream << ") kind predict {\n  " << op << "\n  job.return\n}\n";
  return text;
}

/// Builds an executable for an op with loops of its own, one loop over its
/// items, which takes the operands' and the result's buffers.
static void buildLoopKernel(ModuleOp module, LoopKernelOpInterface op) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = op.getLoc();
  auto executable = plan::ExecutableOp::create(builder, loc, "kernel");
  builder.setInsertionPointToStart(&executable.getRegion().emplaceBlock());
  SmallVector<Type> types;
  for (Value operand : op->getOperands())
    types.push_back(cast<BlobType>(operand.getType()).getMemRefType());
  types.push_back(cast<BlobType>(op->getResult(0).getType()).getMemRefType());
  auto func = func::FuncOp::create(builder, loc, plan::kBodyName,
                                   builder.getFunctionType(types, {}));
  Block *entry = func.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  ValueRange operands = entry->getArguments().drop_back(1);
  Value result = entry->getArgument(op->getNumOperands());

  EXPECT_GT(op.getItemCost(kCPUCosts), 0);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  scf::ParallelOp::create(
      builder, loc, index(0), index(op.getNumItems(kCPUCosts)), index(1),
      [&](OpBuilder &inner, Location, ValueRange items) {
        op.buildItem(inner, kCPUCosts, items[0], operands, result);
      });
  func::ReturnOp::create(builder, loc);
}

/// The job of an op, which is a kernel and returned.
static OwningOpRef<ModuleOp> buildKernelJob(Operation *op) {
  OwningOpRef<ModuleOp> module(op->getParentOfType<ModuleOp>().clone());
  FuncOp func = *module->getOps<FuncOp>().begin();
  Block &body = func.getBody().front();
  Operation *copy = body.getTerminator()->getPrevNode();
  OpBuilder builder(copy);
  SmallVector<Value> inputs(llvm::make_filter_range(
      copy->getOperands(), llvm::IsaPred<BlockArgument>));
  auto kernel =
      KernelOp::create(builder, op->getLoc(), copy->getResultTypes(), inputs);
  Block &inner = kernel.getBody().emplaceBlock();
  for (OpOperand &operand : copy->getOpOperands()) {
    if (Operation *constant = operand.get().getDefiningOp())
      constant->moveBefore(&inner, inner.end());
    else
      operand.set(inner.addArgument(operand.get().getType(), op->getLoc()));
  }
  copy->moveBefore(&inner, inner.end());
  builder.setInsertionPointToEnd(&inner);
  YieldOp::create(builder, op->getLoc(), copy->getResults());
  body.getTerminator()->setOperands(kernel->getResults());
  func.setFunctionType(FunctionType::get(op->getContext(),
                                         func.getFunctionType().getInputs(),
                                         kernel->getResultTypes()));
  return module;
}

/// The ports of the buffers of the one kernel of a program: arguments, then
/// results.
static SmallVector<unsigned> getPorts(ModuleOp module) {
  SmallVector<unsigned> ports;
  module.walk([&](plan::DispatchOp dispatch) {
    EXPECT_TRUE(ports.empty()) << "tests use ops that become one kernel";
    auto program = dispatch->getParentOfType<plan::ProgramOp>();
    unsigned numInputs =
        llvm::range_size(program.getBody().getOps<plan::InputOp>());
    for (Value buffer : dispatch->getOperands())
      if (auto input = buffer.getDefiningOp<plan::InputOp>())
        ports.push_back(input.getIndex());
      else
        ports.push_back(numInputs +
                        buffer.getDefiningOp<plan::OutputOp>().getIndex());
  });
  return ports;
}

static const DialectRegistry &getRegistry() {
  static const DialectRegistry registry = [] {
    DialectRegistry registry;
    registry.insert<JobDialect, plan::PlanDialect, func::FuncDialect,
                    LLVM::LLVMDialect>();
    registerDecompositionModels(registry);
    registerKernelModels(registry);
    plan::registerScheduleModels(registry);
    registerReferenceModels(registry);
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    return registry;
  }();
  return registry;
}

ParsedOp::ParsedOp(StringRef text, ArrayRef<std::string> operands)
    : context(getRegistry(), MLIRContext::Threading::DISABLED) {
  context.loadAllAvailableDialects();
  std::string job = buildText(text, operands);
  module = parseSourceString<ModuleOp>(job, ParserConfig(&context));
  EXPECT_TRUE(module) << job;
  if (module)
    op = (*module->getOps<FuncOp>().begin())
             .getBody()
             .front()
             .getTerminator()
             ->getPrevNode();
}

BlobType ParsedOp::getOperandType(unsigned index) const {
  return cast<BlobType>(op->getOperand(index).getType());
}

BlobType ParsedOp::getResultType() const {
  return cast<BlobType>(op->getResult(0).getType());
}

std::string ParsedOp::getResultTypeText() const {
  std::string text;
  llvm::raw_string_ostream(text) << getResultType();
  return text;
}

ReferenceTensor ParsedOp::evaluate(ArrayRef<ReferenceTensor> operands) const {
  SmallVector<const ReferenceTensor *> pointers;
  for (const ReferenceTensor &operand : operands)
    pointers.push_back(&operand);
  ReferenceTensor result(getResultType());
  EXPECT_TRUE(
      succeeded(cast<ReferenceOpInterface>(op).evaluate(pointers, result)));
  return result;
}

void Kernel::compile(const ParsedOp &op) {
  ASSERT_TRUE(op.get());
  MLIRContext &context = *op.get()->getContext();
  Location loc = op.get()->getLoc();
  OwningOpRef<ModuleOp> module;
  PassManager pm(&context);
  if (auto loops = dyn_cast<LoopKernelOpInterface>(op.get())) {
    module = ModuleOp::create(loc);
    buildLoopKernel(*module, loops);
    llvm::append_range(ports,
                       llvm::seq<unsigned>(op.get()->getNumOperands() + 1));
  } else {
    module = buildKernelJob(op.get());
    pm.addPass(createConvertJobToPlan());
    pm.addPass(plan::createPlanAssignOffsets());
    pm.addNestedPass<plan::ProgramOp>(plan::createPlanPackMemory());
  }
  buildLowerPipeline(pm, PipelineOptions());
  ASSERT_TRUE(succeeded(pm.run(*module)));
  if (ports.empty())
    ports = getPorts(*module);
  module->walk([&](plan::VariantOp variant) {
    chunks = variant.getChunks().value_or(1);
  });
  auto target = TargetDescription::create(loc, "native", "");
  ASSERT_TRUE(succeeded(target));
  auto objects = emitObjects(*module, *target);
  ASSERT_TRUE(succeeded(objects));
  auto linked = linkSharedObject(loc, *target, *objects);
  ASSERT_TRUE(succeeded(linked));

  SmallString<128> path;
  int descriptor;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("kernel", "so", descriptor, path));
  {
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    stream.write(linked->data(), linked->size());
  }
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  llvm::sys::fs::remove(path);
  ASSERT_TRUE(library) << dlerror();
  function = reinterpret_cast<jobrt_kernel_fn>(
      dlsym(library, JOBRT_KERNEL_PREFIX "0"));
  ASSERT_TRUE(function) << dlerror();
}

Kernel::~Kernel() {
  if (library)
    dlclose(library);
}

void Kernel::operator()(ArrayRef<const void *> buffers) const {
  SmallVector<void *> arguments;
  for (unsigned port : ports)
    arguments.push_back(const_cast<void *>(buffers[port]));
  for (int64_t chunk = 0; chunk < chunks; ++chunk)
    function(arguments.data(), chunk);
}

ReferenceTensor job::runKernel(const ParsedOp &op,
                               ArrayRef<ReferenceTensor> operands) {
  Kernel kernel(op);
  // Buffers start at multiples of the alignment. A kernel that leaves out an
  // element of its result shows by the bytes before.
  using Buffer = std::unique_ptr<char, decltype(&std::free)>;
  auto allocate = [](int64_t bytes) {
    return Buffer(static_cast<char *>(std::aligned_alloc(
                      JOBRT_ALIGNMENT, llvm::alignTo(bytes, JOBRT_ALIGNMENT))),
                  &std::free);
  };
  SmallVector<Buffer> storage;
  SmallVector<const void *> buffers;
  for (const ReferenceTensor &operand : operands) {
    std::vector<char> bytes = operand.toBytes();
    storage.push_back(allocate(bytes.size()));
    llvm::copy(bytes, storage.back().get());
    buffers.push_back(storage.back().get());
  }
  int64_t bytes = op.getResultType().getBytes();
  storage.push_back(allocate(bytes));
  char *out = storage.back().get();
  std::fill_n(out, bytes, char(0x5a));
  buffers.push_back(out);
  kernel(buffers);
  auto result = ReferenceTensor::fromBytes(op.getResultType(),
                                           ArrayRef<char>(out, bytes));
  EXPECT_TRUE(succeeded(result));
  return *result;
}

void job::expectReference(const ParsedOp &op,
                          ArrayRef<ReferenceTensor> operands,
                          double tolerance) {
  ASSERT_TRUE(op.get());
  ReferenceTensor actual = runKernel(op, operands);
  ReferenceTensor expected = op.evaluate(operands);
  std::string text;
  llvm::raw_string_ostream(text) << *op.get();
  if (!expected.isFloat()) {
    EXPECT_EQ(actual.getIntegers(), expected.getIntegers()) << text;
    return;
  }
  expected.roundToType();
  double largest = 0;
  for (double value : expected.getFloats())
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  for (int64_t i = 0; i < expected.getNumElements(); ++i) {
    double x = actual.getFloats()[i], y = expected.getFloats()[i];
    if (std::isnan(y) ? std::isnan(x)
                      : x == y || std::fabs(x - y) <= tolerance * largest)
      continue;
    ADD_FAILURE() << "expects " << y << " but got " << x << " at " << i
                  << " in " << text;
    return;
  }
}
