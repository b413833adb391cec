//===- PTX.cpp - PTX as code objects --------------------------------------===//

#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Target/CodeObjects.h"

#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"

using namespace mlir;
using namespace mlir::job;

namespace {
/// The text that ptxas gets for a cubin. Unlike the target of a cubin, it looks
/// for no toolkit: kernels call nothing of CUDA's library.
class TextSerializer : public LLVM::ModuleToObject {
public:
  TextSerializer(Operation &module, plan::PTXAttr target)
      : ModuleToObject(module, "nvptx64-nvidia-cuda", target.getChip(),
                       target.getFeatures(), /*optLevel=*/3) {
    NVVM::SerializeGPUModuleBase::init();
  }

protected:
  FailureOr<SmallVector<char, 0>>
  moduleToObject(llvm::Module &llvmModule) override {
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return failure();
    FailureOr<SmallString<0>> text = translateModuleToISA(
        llvmModule, **machine, [&] { return getOperation().emitError(); });
    if (failed(text))
      return failure();
    // CUDA reads it up to there.
    text->push_back('\0');
    return SmallVector<char, 0>(text->begin(), text->end());
  }
};

struct PTXModel : public gpu::TargetAttrInterface::FallbackModel<PTXModel> {
  std::optional<SmallVector<char, 0>>
  serializeToObject(Attribute attribute, Operation *module,
                    const gpu::TargetOptions &) const {
    return TextSerializer(*module, cast<plan::PTXAttr>(attribute)).run();
  }

  Attribute createObject(Attribute attribute, Operation *module,
                         const SmallVector<char, 0> &object,
                         const gpu::TargetOptions &) const {
    return gpu::ObjectAttr::get(
        attribute.getContext(), attribute, gpu::CompilationTarget::Assembly,
        StringAttr::get(attribute.getContext(),
                        StringRef(object.data(), object.size())),
        /*properties=*/nullptr, /*kernels=*/nullptr);
  }
};
} // namespace

void job::registerPTX(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, plan::PlanDialect *) {
    plan::PTXAttr::attachInterface<PTXModel>(*context);
  });
}
