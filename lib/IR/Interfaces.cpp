//===- Interfaces.cpp - What ops and attributes answer --------------------===//

#include "JobDialect/IR/JobDialect.h"

using namespace mlir;
using namespace mlir::job;

#include "JobDialect/Interfaces/InitializerAttrInterface.cpp.inc"
#include "JobDialect/Interfaces/OptimizerAttrInterfaces.cpp.inc"

#include "JobDialect/Interfaces/BoundedResultOpInterface.cpp.inc"
#include "JobDialect/Interfaces/DecomposableOpInterface.cpp.inc"
#include "JobDialect/Interfaces/DifferentiableOpInterface.cpp.inc"
#include "JobDialect/Interfaces/KernelOpInterfaces.cpp.inc"
#include "JobDialect/Interfaces/LayoutOpInterface.cpp.inc"
#include "JobDialect/Interfaces/MovedElementsOpInterface.cpp.inc"
#include "JobDialect/Interfaces/RandomOpInterface.cpp.inc"
#include "JobDialect/Interfaces/ReferenceOpInterface.cpp.inc"
#include "JobDialect/Interfaces/StridedReadOpInterface.cpp.inc"
