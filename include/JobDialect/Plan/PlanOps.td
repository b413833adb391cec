//===- PlanOps.td - All ops of the plan dialect ------------*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANOPS_TD
#define JOBDIALECT_PLAN_PLANOPS_TD

include "JobDialect/Plan/PlanBufferOps.td"
include "JobDialect/Plan/PlanCallAttributes.td"
include "JobDialect/Plan/PlanCollectiveOps.td"
include "JobDialect/Plan/PlanCommandOps.td"
include "JobDialect/Plan/PlanEventOps.td"
include "JobDialect/Plan/PlanKernelOps.td"
include "JobDialect/Plan/PlanStructureOps.td"

#endif // JOBDIALECT_PLAN_PLANOPS_TD
