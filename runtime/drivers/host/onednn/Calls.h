//===- Calls.h - The library functions made of oneDNN -----------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_HOST_ONEDNN_CALLS_H
#define JOBRT_DRIVERS_HOST_ONEDNN_CALLS_H

#include "drivers/host/LibraryCall.h"

namespace jobrt::onednn {

Expected<std::unique_ptr<LibraryCall>> createMatMul(const Command &command);
Expected<std::unique_ptr<LibraryCall>> createConv2d(const Command &command);
Expected<std::unique_ptr<LibraryCall>>
createConv2dDataGrad(const Command &command);
Expected<std::unique_ptr<LibraryCall>>
createConv2dFilterGrad(const Command &command);

} // namespace jobrt::onednn

#endif // JOBRT_DRIVERS_HOST_ONEDNN_CALLS_H
