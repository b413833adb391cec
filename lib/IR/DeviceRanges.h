//===- DeviceRanges.h - The devices of a placement --------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_IR_DEVICERANGES_H
#define JOBDIALECT_LIB_IR_DEVICERANGES_H

#include "JobDialect/IR/JobParameters.h"

namespace mlir::job {

/// Parses "machine:first-last,machine:device,..." from a string.
ParseResult parseDeviceRanges(AsmParser &parser,
                              SmallVector<DeviceRange> &ranges);
void printDeviceRanges(AsmPrinter &printer, ArrayRef<DeviceRange> ranges);

/// The ranges in order, adjacent ones joined. Keeps ranges that overlap, for
/// the verifier.
SmallVector<DeviceRange> normalizeDeviceRanges(ArrayRef<DeviceRange> ranges);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_IR_DEVICERANGES_H
