//===- MergeKernels.cpp - One kernel where several are alike --------------===//
//
// Kernels of layers that are alike differ in the constants that tell their ops
// apart, such as the number of a random op. Code generation takes most of the
// time of a compilation, so that one executable is kept for all of them.
//
// Executables are sorted by a hash of everything but those constants, then
// compared op by op with the first one of each group.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Plan/Passes.h"

#include "JobDialect/Support/Explain.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANMERGEKERNELS
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// Whether an operation is as fast and means the same with an operand that is
/// not known. Divisions and shifts by a constant are faster, indices say how
/// memory is accessed, and ops of other dialects may require a constant.
static bool takesScalar(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(user))
    return use.getOperandNumber() == 0;
  return isa<linalg::YieldOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp, arith::CmpIOp, arith::SelectOp,
             arith::MaxSIOp, arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp>(
      user);
}

namespace {

/// An executable, what runs it, and its constants that may become scalars.
struct Kernel {
  explicit Kernel(ExecutableOp executable);

  /// Whether it says what it computes.
  bool isKnown() const {
    return llvm::any_of(
        ExecutableOp(executable).getOps<func::FuncOp>(),
        [](func::FuncOp function) { return !function.isExternal(); });
  }

  bool canBeScalar(Operation *op) const { return scalars.contains(op); }

  ExecutableOp executable;
  SmallVector<DispatchOp> dispatches;
  SmallVector<arith::ConstantOp> constants;

private:
  llvm::SmallPtrSet<Operation *, 16> scalars;
};

/// Compares two kernels.
class Comparison {
public:
  Comparison(const Kernel &a, const Kernel &b) : a(a), b(b) {}

  /// Whether the kernels are equal except for names, locations and the values
  /// of constants that may be scalars.
  bool areAlike() {
    ExecutableOp x = a.executable, y = b.executable;
    return areAlike(x.getRegion(), y.getRegion());
  }

private:
  bool areAlike(Region &x, Region &y);
  bool areAlike(Operation &x, Operation &y);
  void map(ValueRange x, ValueRange y) {
    for (auto [from, to] : llvm::zip_equal(x, y))
      values[from] = to;
  }

  const Kernel &a, &b;
  /// From the values of the first one to those of the second one.
  DenseMap<Value, Value> values;
};

struct PlanMergeKernels
    : public plan::impl::PlanMergeKernelsBase<PlanMergeKernels> {
  void runOnOperation() override;

private:
  void merge(ArrayRef<Kernel> kernels);
};

} // namespace

//===----------------------------------------------------------------------===//
// Which kernels are alike
//===----------------------------------------------------------------------===//

Kernel::Kernel(ExecutableOp executable) : executable(executable) {
  func::FuncOp body = executable.getBody();
  bool hasCode =
      llvm::any_of(executable.getOps<VariantOp>(), [](VariantOp variant) {
        return variant.getFunctionAttr() != nullptr;
      });
  if (!body || hasCode || llvm::any_of(body.getArgumentTypes(), isScalarType))
    return;
  body.walk<WalkOrder::PreOrder>([&](arith::ConstantOp constant) {
    if (isa<linalg::GenericOp>(constant->getParentOp()) &&
        (constant.getType().isInteger(32) ||
         constant.getType().isInteger(64)) &&
        llvm::all_of(constant->getUses(), takesScalar)) {
      constants.push_back(constant);
      scalars.insert(constant);
    }
  });
}

bool Comparison::areAlike(Region &x, Region &y) {
  if (x.getBlocks().size() != y.getBlocks().size())
    return false;
  for (auto [blockX, blockY] : llvm::zip_equal(x, y)) {
    if (blockX.getArgumentTypes() != blockY.getArgumentTypes() ||
        blockX.getOperations().size() != blockY.getOperations().size())
      return false;
    map(blockX.getArguments(), blockY.getArguments());
    for (auto [opX, opY] : llvm::zip_equal(blockX, blockY))
      if (!areAlike(opX, opY))
        return false;
  }
  return true;
}

bool Comparison::areAlike(Operation &x, Operation &y) {
  // Code has structured control flow here; what has not is not compared.
  if (x.getName() != y.getName() || x.getNumOperands() != y.getNumOperands() ||
      x.getResultTypes() != y.getResultTypes() ||
      x.getNumRegions() != y.getNumRegions() || x.getNumSuccessors() > 0)
    return false;
  if (!(a.canBeScalar(&x) && b.canBeScalar(&y)) &&
      (x.getRawDictionaryAttrs() != y.getRawDictionaryAttrs() ||
       !x.getName().compareOpProperties(x.getPropertiesStorage(),
                                        y.getPropertiesStorage())))
    return false;
  for (auto [from, to] : llvm::zip_equal(x.getOperands(), y.getOperands()))
    if (values.lookup(from) != to)
      return false;
  map(x.getResults(), y.getResults());
  return llvm::all_of(llvm::zip_equal(x.getRegions(), y.getRegions()),
                      [&](auto regions) {
                        auto &[regionX, regionY] = regions;
                        return areAlike(regionX, regionY);
                      });
}

/// Equal for kernels that are alike.
static llvm::hash_code computeHash(const Kernel &kernel) {
  llvm::hash_code hash(0);
  ExecutableOp executable = kernel.executable;
  executable.getRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::hash_code ofOp =
        kernel.canBeScalar(op)
            ? llvm::hash_value(op->getResult(0).getType().getAsOpaquePointer())
            : OperationEquivalence::computeHash(
                  op, OperationEquivalence::ignoreHashValue,
                  OperationEquivalence::ignoreHashValue,
                  OperationEquivalence::IgnoreLocations);
    hash = llvm::hash_combine(hash, ofOp);
  });
  return hash;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Keeps the first of some kernels that are alike for the dispatches of all.
void PlanMergeKernels::merge(ArrayRef<Kernel> kernels) {
  const Kernel &first = kernels.front();
  ExecutableOp kept = first.executable;
  // Constants that differ, in the order of the first kernel. Those that agree
  // with each other in all kernels are one scalar.
  llvm::MapVector<SmallVector<Attribute>, SmallVector<arith::ConstantOp>>
      scalars;
  for (auto [index, constant] : llvm::enumerate(first.constants)) {
    auto values = llvm::map_to_vector(kernels, [&](const Kernel &kernel) {
      arith::ConstantOp other = kernel.constants[index];
      return Attribute(other.getValue());
    });
    if (!llvm::all_equal(values))
      scalars[values].push_back(constant);
  }

  Builder attributes(&getContext());
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    SmallVector<Attribute> numbers;
    for (auto &[values, constants] : scalars)
      numbers.push_back(values[index]);
    for (DispatchOp dispatch : kernel.dispatches) {
      if (index > 0)
        if (auto remark = job::explainDone(
                dispatch.getLoc(), job::ExplainCategory::Kernels,
                dispatch->getParentOfType<ProgramOp>().getSymName())) {
          remark << dispatch.getKernel() << " is replaced by "
                 << kept.getSymName();
          if (numbers.empty())
            remark << ", which is equal";
          else
            remark << ", which is equal but for "
                   << std::to_string(numbers.size())
                   << (numbers.size() == 1 ? " number" : " numbers");
        }
      dispatch.setKernelAttr(FlatSymbolRefAttr::get(kept.getSymNameAttr()));
      if (!numbers.empty())
        dispatch.setScalarsAttr(attributes.getArrayAttr(numbers));
    }
  }

  for (auto &[values, constants] : scalars) {
    BlockArgument scalar =
        appendArgument(kept.getBody(), constants.front().getType(),
                       constants.front().getLoc());
    for (arith::ConstantOp constant : constants) {
      constant.getResult().replaceAllUsesWith(scalar);
      constant.erase();
    }
  }
  for (const Kernel &kernel : kernels.drop_front())
    ExecutableOp(kernel.executable).erase();
  numMerged += kernels.size() - 1;
}

void PlanMergeKernels::runOnOperation() {
  llvm::MapVector<Attribute, Kernel> kernels;
  for (auto executable : getOperation().getOps<ExecutableOp>())
    kernels.insert({FlatSymbolRefAttr::get(executable.getSymNameAttr()),
                    Kernel(executable)});
  getOperation().walk([&](DispatchOp dispatch) {
    kernels.find(dispatch.getKernelAttr())
        ->second.dispatches.push_back(dispatch);
  });

  // Groups of kernels that are alike, those of equal hashes side by side.
  llvm::MapVector<size_t, SmallVector<std::vector<Kernel>, 1>> groups;
  for (auto &[name, kernel] : kernels) {
    if (!kernel.isKnown())
      continue;
    auto &sameHash = groups[computeHash(kernel)];
    auto group = llvm::find_if(sameHash, [&](ArrayRef<Kernel> other) {
      return Comparison(other.front(), kernel).areAlike();
    });
    if (group == sameHash.end())
      group = &sameHash.emplace_back();
    group->push_back(std::move(kernel));
  }
  for (auto &[hash, sameHash] : groups)
    for (ArrayRef<Kernel> group : sameHash)
      if (group.size() > 1)
        merge(group);
}
