// Dashed edges show the order between queues: from the last command of a queue
// to a record, from there to the wait, and on to what waits.
//
// RUN: job-opt %s --job-print-graph="dot output=%t.dot" -o /dev/null
// RUN: FileCheck %s < %t.dot

#arena = #plan.space<arena>
#outputs = #plan.space<outputs>

plan.device @cpu0 kind(host) queues(2)

// CHECK: [[FILL:n[0-9]+]] [{{.*}}tooltip="plan.fill
// CHECK-NEXT: <b>#0  fill with bytes 7</b>{{.*}}queue 1<
// CHECK: [[RECORD:n[0-9]+]] [{{.*}}
// CHECK-NEXT: <b>#1  record</b>{{.*}}queue 1<
// CHECK: [[LATE:n[0-9]+]] [{{.*}}
// CHECK-NEXT: <b>#2  fill with zeros</b>{{.*}}queue 1<
// CHECK: [[WAIT:n[0-9]+]] [{{.*}}
// CHECK-NEXT: <b>#3  wait</b>{{.*}}queue 0<
// CHECK: [[COPY:n[0-9]+]] [{{.*}}
// CHECK-NEXT: <b>#4  copy</b>{{.*}}queue 0<
// CHECK-DAG: [[FILL]] -> [[RECORD]] [color="#525252" style=dashed
// CHECK-DAG: [[RECORD]] -> [[WAIT]] [color="#525252" style=dashed
// CHECK-DAG: [[WAIT]] -> [[COPY]] [color="#525252" style=dashed
// CHECK-DAG: [[FILL]]:v0:s -> [[COPY]] [
// CHECK-NOT: [[LATE]] -> [[WAIT]]
plan.program @program kind predict {
  %a = plan.alloc : memref<16xf32, #arena>
  %b = plan.alloc : memref<16xf32, #arena>
  %y = plan.output 0 "y" : memref<16xf32, #outputs>
  plan.fill %a with 7 queue(1) : memref<16xf32, #arena>
  %done = plan.record queue(1)
  plan.fill %b with 0 queue(1) : memref<16xf32, #arena>
  plan.wait %done
  plan.copy %a to %y : memref<16xf32, #arena> to memref<16xf32, #outputs>
  plan.return
}
