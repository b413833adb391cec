//===- JobOps.td - All ops of the job dialect --------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBOPS_TD
#define JOBDIALECT_IR_JOBOPS_TD

include "JobDialect/IR/JobAttentionOps.td"
include "JobDialect/IR/JobConvOps.td"
include "JobDialect/IR/JobElementwiseOps.td"
include "JobDialect/IR/JobIndexOps.td"
include "JobDialect/IR/JobLossOps.td"
include "JobDialect/IR/JobMatMulOps.td"
include "JobDialect/IR/JobMicroStepsOps.td"
include "JobDialect/IR/JobNormOps.td"
include "JobDialect/IR/JobOptimizerOps.td"
include "JobDialect/IR/JobPoolOps.td"
include "JobDialect/IR/JobRandomOps.td"
include "JobDialect/IR/JobReduceOps.td"
include "JobDialect/IR/JobShapeOps.td"
include "JobDialect/IR/JobStructureOps.td"

#endif // JOBDIALECT_IR_JOBOPS_TD
