// Kernels, micro-steps and loops of commands are frames around their ops. A
// number that a kernel yields is a box.
//
// RUN: job-opt %s --job-print-graph="dot entry=fill" -o /dev/null | FileCheck %s --check-prefix=FILL
// RUN: job-opt %s --job-print-graph="dot entry=step" -o /dev/null | FileCheck %s --check-prefix=JOB
// RUN: job-opt %s --job-print-graph="dot entry=program" -o /dev/null | FileCheck %s --check-prefix=PLAN

#arena = #plan.space<arena>

// FILL: [[OUT:n[0-9]+]] [{{.*}}tooltip="result0"
// FILL: subgraph cluster_1 {
// FILL-NEXT: label=<<b>kernel</b>
// FILL-NEXT: [[ONE:n[0-9]+]] [{{.*}}style="filled,rounded"
// FILL-NEXT: <b>1</b>{{.*}}>4xf32 · 16 B<
// FILL-NEXT: }
// FILL-NEXT: [[ONE]]:v0:s -> [[OUT]] [
job.func @fill() -> !job.blob<4xf32> kind predict {
  %0 = job.kernel() -> !job.blob<4xf32> {
    %1 = job.constant dense<1.0> : tensor<4xf32>
    job.yield %1 : !job.blob<4xf32>
  }
  job.return %0 : !job.blob<4xf32>
}

// JOB: [[X:n[0-9]+]] [{{.*}}tooltip="x"
// JOB: [[W:n[0-9]+]] [{{.*}}tooltip="w"
// JOB: [[R0:n[0-9]+]] [{{.*}}tooltip="result0"
// JOB: [[R1:n[0-9]+]] [{{.*}}tooltip="result1"
// JOB: subgraph cluster_1 {
// JOB-NEXT: label=<<b>micro_steps (2 times)</b>
// JOB-NEXT: [[PART:n[0-9]+]] [{{.*}}style="filled,rounded"
// JOB-NEXT: <b>part</b><br/>of this micro-step<{{.*}}>4xf32 · 16 B<
// JOB-NEXT: [[SUM:n[0-9]+]] [{{.*}}style="filled,rounded"
// JOB-NEXT: <b>sum</b><br/>of earlier micro-steps<
// JOB-NEXT: [[MUL:n[0-9]+]] [{{.*}}tooltip="job.mul
// JOB: [[ADD:n[0-9]+]] [{{.*}}tooltip="job.add
// JOB: [[PACKED:n[0-9]+]] [{{.*}}style="filled,rounded"
// JOB-NEXT: <b>packed</b><br/>of all micro-steps<{{.*}}>8xf32 · 32 B<
// JOB-NEXT: }
// JOB-DAG: [[X]]:v0:s -> [[PART]] [
// JOB-DAG: [[PART]]:v0:s -> [[MUL]] [
// JOB-DAG: [[W]]:v0:s -> [[MUL]] [
// JOB-DAG: [[SUM]]:v0:s -> [[ADD]] [
// JOB-DAG: [[MUL]]:v0:s -> [[ADD]] [
// JOB-DAG: [[MUL]]:v0:s -> [[PACKED]] [
// JOB-DAG: [[ADD]]:v0:s -> [[R0]] [
// JOB-DAG: [[PACKED]]:v0:s -> [[R1]] [
job.func @step(%x: !job.blob<8xf32> {job.name = "x"}, %w: !job.blob<4xf32> {job.name = "w"})
    -> (!job.blob<4xf32>, !job.blob<8xf32>) kind predict {
  %sum, %all = job.micro_steps count(2) rows(%x : !job.blob<8xf32>) shared(%w : !job.blob<4xf32>) sums(!job.blob<4xf32>) packed(!job.blob<8xf32>) {
  ^bb0(%part: !job.blob<4xf32>, %v: !job.blob<4xf32>, %sofar: !job.blob<4xf32>):
    %0 = job.mul %part, %v : !job.blob<4xf32>
    %1 = job.add %sofar, %0 : !job.blob<4xf32>
    job.yield %1, %0 : !job.blob<4xf32>, !job.blob<4xf32>
  }
  job.return %sum, %all : !job.blob<4xf32>, !job.blob<8xf32>
}

// PLAN: <b>#0  fill with zeros</b>
// PLAN: subgraph cluster_1 {
// PLAN-NEXT: label=<<b>repeat (4 times)</b>>
// PLAN-NEXT: n
// PLAN-NEXT: <b>#1 onednn.matmul</b>
// PLAN-NEXT: }
plan.program @program kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.repeat count(4) {
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%a : memref<16xf32, #arena>) {flops = 16 : i64}
  }
  plan.return
}
