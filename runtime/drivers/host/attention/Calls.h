//===- Calls.h - The library functions of attention -------------*- C++ -*-===//

#ifndef JOBRT_DRIVERS_HOST_ATTENTION_CALLS_H
#define JOBRT_DRIVERS_HOST_ATTENTION_CALLS_H

#include "drivers/host/LibraryCall.h"

namespace jobrt::attention {

Expected<std::unique_ptr<LibraryCall>> createAttention(const Command &command);
Expected<std::unique_ptr<LibraryCall>>
createAttentionGrad(const Command &command);

} // namespace jobrt::attention

#endif // JOBRT_DRIVERS_HOST_ATTENTION_CALLS_H
