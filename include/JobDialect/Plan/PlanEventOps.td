//===- PlanEventOps.td - Order between queues --------------*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANEVENTOPS_TD
#define JOBDIALECT_PLAN_PLANEVENTOPS_TD

include "JobDialect/Plan/PlanCommandOps.td"

def Plan_RecordOp : Plan_CommandOp<"record"> {
  let summary = "records an event on a queue";
  let description = [{
    The event is complete when all earlier commands of the queue are complete.

    Example:

    ```mlir
    %done = plan.record queue(1)
    plan.wait %done
    ```
  }];
  let arguments = (ins Plan_Queue:$queue);
  let results = (outs Plan_EventType:$event);
  let assemblyFormat = "(`queue` `(` $queue^ `)`)? attr-dict";
}

def Plan_WaitOp : Plan_CommandOp<"wait"> {
  let summary = "makes a queue wait for an event";
  let description = [{
    Later commands of the queue start after the event is complete. The event is
    recorded earlier in the text, so queues cannot wait for each other in a
    cycle.

    Example:

    ```mlir
    %done = plan.record
    plan.wait %done queue(1)
    ```
  }];
  let arguments = (ins Plan_EventType:$event, Plan_Queue:$queue);
  let assemblyFormat = "$event (`queue` `(` $queue^ `)`)? attr-dict";
}

#endif // JOBDIALECT_PLAN_PLANEVENTOPS_TD
