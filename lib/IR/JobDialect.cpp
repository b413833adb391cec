//===- JobDialect.cpp - The job dialect -----------------------------------===//

#include "JobDialect/IR/JobDialect.h"

#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::job;

#include "JobDialect/IR/JobDialect.cpp.inc"
#include "JobDialect/IR/JobEnums.cpp.inc"

namespace {

/// Shortens the names of types and attributes that occur often.
struct JobAsmInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (isa<PlacementAttr>(attr)) {
      os << "placement";
      return AliasResult::OverridableAlias;
    }
    if (isa<ShardingAttr>(attr)) {
      os << "sharding";
      return AliasResult::OverridableAlias;
    }
    return AliasResult::NoAlias;
  }
};

} // namespace

void JobDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "JobDialect/IR/JobOps.cpp.inc"
      >();
  registerTypes();
  registerAttributes();
  addInterfaces<JobAsmInterface>();
}

Operation *JobDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || !isa<BlobType>(type))
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}
