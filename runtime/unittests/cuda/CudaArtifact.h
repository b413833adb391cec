//===- CudaArtifact.h - Test artifacts for a GPU ----------------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_CUDA_CUDAARTIFACT_H
#define JOBRT_UNITTESTS_CUDA_CUDAARTIFACT_H

#include "unittests/TestArtifact.h"

namespace jobrt::test {

/// A manifest of TestArtifact.h for a device of kind cuda: inputs and outputs
/// are copied to and from the arena, and library calls are copies.
nlohmann::json cudaManifest(nlohmann::json manifest = testManifest());

/// Bytes of the ELF part that cudaManifest() needs, for a simulated GPU.
std::string cudaKernels();

Expected<std::shared_ptr<const Artifact>>
loadCudaArtifact(const nlohmann::json &manifest);

/// The artifact of mixedManifest("cuda"), or what a test has made of it.
Expected<std::shared_ptr<const Artifact>>
loadMixedArtifact(nlohmann::json manifest);

/// The library that the driver opens from now on, unless the environment names
/// one already.
void useTestCuda();

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CUDA_CUDAARTIFACT_H
