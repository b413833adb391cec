//===- VerifyCalls.cpp - Calls against their configurations ---------------===//
//
// A configuration is right by itself (jobrt/calls.h). Here the buffers of a
// call are checked against it, where a person wrote them; the runtime does it
// again when it loads an artifact.
//
//===----------------------------------------------------------------------===//

#include "VerifyCalls.h"

using namespace mlir;
using namespace mlir::plan;

using Buffers = std::vector<jobrt::calls::Buffer>;

static Type getElementType(MLIRContext *context,
                           jobrt::calls::Element element) {
  switch (element) {
  case jobrt::calls::Element::kF32:
    return Float32Type::get(context);
  case jobrt::calls::Element::kF16:
    return Float16Type::get(context);
  case jobrt::calls::Element::kBF16:
    return BFloat16Type::get(context);
  case jobrt::calls::Element::kI8:
    return IntegerType::get(context, 8);
  }
  llvm_unreachable("unknown element type of a call");
}

static LogicalResult verifyBuffers(CallOp call, StringRef what,
                                   OperandRange buffers,
                                   const Buffers &expected) {
  if (buffers.size() != expected.size())
    return call.emitOpError() << "expects " << expected.size() << " buffers in "
                              << what << " but got " << buffers.size();
  for (auto [buffer, array] : llvm::zip_equal(buffers, expected)) {
    auto type = cast<MemRefType>(buffer.getType());
    auto shape = MemRefType::get(
        array.extents, getElementType(call.getContext(), array.element));
    if (type.getElementType() != shape.getElementType() ||
        type.getNumElements() != shape.getNumElements())
      return call.emitOpError() << "expects " << what << " of " << shape
                                << ", by its config, but got " << type;
  }
  return success();
}

static LogicalResult verifyWorkspace(CallOp call) {
  Value workspace = call.getWorkspace();
  if (workspace && !isa_and_nonnull<WorkspaceOp>(getBufferRoot(workspace)))
    return call.emitOpError()
           << "expects a plan.workspace but got another buffer as workspace";
  int64_t bytes =
      workspace ? getBufferBytes(cast<MemRefType>(workspace.getType())) : 0;
  int64_t expected = call.getConfig().getWorkspaceBytes();
  if (bytes != expected)
    return call.emitOpError() << "expects a workspace of " << expected
                              << " bytes, by its config, but got " << bytes;
  return success();
}

LogicalResult plan::verifyLibraryCall(CallOp call) {
  if (StringRef target = getTarget(call);
      target != call.getConfig().getTarget())
    return call.emitOpError() << "expects a function of the target " << target
                              << " but got " << call.getConfig().getCallee()
                              << " of " << call.getConfig().getTarget();
  Buffers ins, outs;
  for (jobrt::calls::Buffer &buffer : call.getConfig().getBuffers())
    (buffer.isResult ? outs : ins).push_back(std::move(buffer));
  if (failed(verifyBuffers(call, "ins", call.getIns(), ins)) ||
      failed(verifyBuffers(call, "outs", call.getOuts(), outs)))
    return failure();
  return verifyWorkspace(call);
}
