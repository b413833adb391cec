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

static LogicalResult verifyBuffers(CallOp call, StringRef what,
                                   OperandRange buffers,
                                   const Buffers &expected) {
  if (buffers.size() != expected.size())
    return call.emitOpError() << "expects " << expected.size() << " buffers in "
                              << what << " but got " << buffers.size();
  for (auto [buffer, array] : llvm::zip_equal(buffers, expected)) {
    auto type = cast<MemRefType>(buffer.getType());
    auto shape =
        MemRefType::get(array.extents, Float32Type::get(call.getContext()));
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
  Buffers ins, outs;
  for (jobrt::calls::Buffer &buffer : call.getConfig().getBuffers())
    (buffer.isResult ? outs : ins).push_back(std::move(buffer));
  if (failed(verifyBuffers(call, "ins", call.getIns(), ins)) ||
      failed(verifyBuffers(call, "outs", call.getOuts(), outs)))
    return failure();
  return verifyWorkspace(call);
}
