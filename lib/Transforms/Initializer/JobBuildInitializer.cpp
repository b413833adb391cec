//===- JobBuildInitializer.cpp - Build the job of first values ------------===//

#include "JobDialect/IR/Permutations.h"
#include "JobDialect/Transforms/Passes.h"

#include "llvm/Support/xxhash.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBBUILDINITIALIZER
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

static constexpr llvm::StringLiteral kInitializerName = "jobmlir_init";

/// Drops the job of an earlier run. Fails when a user's job has the name.
static LogicalResult eraseInitializer(SymbolTable &symbols) {
  Operation *present = symbols.lookup(kInitializerName);
  if (!present)
    return success();
  auto func = dyn_cast<FuncOp>(present);
  if (!func || func.getKind() != JobKind::Init)
    return present->emitError()
           << "expects another name than @" << kInitializerName
           << ", which is that of the job that fills the variables";
  symbols.erase(present);
  return success();
}

static LogicalResult buildInitialValues(FuncOp func,
                                        ArrayRef<VariableOp> variables) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  for (VariableOp variable : variables) {
    Location loc = variable.getLoc();
    Value seed = func.getArgument(0);
    // A fixed function of the name: a seed means the same values on every
    // machine and in every version.
    auto id = static_cast<int64_t>(llvm::xxh3_64bits(variable.getSymName()));
    if (std::optional<int64_t> own = variable.getSeed()) {
      auto type = cast<BlobType>(seed.getType()).getTensorType();
      seed =
          ConstantOp::create(builder, loc, DenseElementsAttr::get(type, *own));
      id = 0;
    }
    InitializerAttrInterface initializer = variable.getInitializer();
    Value value = initializer.buildInitialValue(
        builder, loc, variable.getDeclaredType(), seed, id);
    if (!value)
      return failure();
    if (auto expandedShape = variable.getExpandedShape())
      value = buildExpandedPermutation(builder, loc, value, *expandedShape,
                                       *variable.getPermutation());
    else if (auto permutation = variable.getPermutation())
      value = buildPermutation(builder, loc, value, *permutation);
    AssignOp::create(builder, loc, variable.getSymName(), value);
  }
  ReturnOp::create(builder, func.getLoc());
  return success();
}

namespace {
struct JobBuildInitializer
    : public job::impl::JobBuildInitializerBase<JobBuildInitializer> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<VariableOp> variables(module.getOps<VariableOp>());
    if (variables.empty())
      return markAllAnalysesPreserved();
    SymbolTable symbols(module);
    if (failed(eraseInitializer(symbols)))
      return signalPassFailure();

    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto seedType = BlobType::get({1}, builder.getI64Type());
    auto func =
        FuncOp::create(builder, module.getLoc(), kInitializerName,
                       builder.getFunctionType(seedType, {}), JobKind::Init);
    func.setArgAttr(0, FuncOp::getNameAttrName(),
                    builder.getStringAttr("seed"));
    if (failed(buildInitialValues(func, variables)))
      signalPassFailure();
  }
};
} // namespace
