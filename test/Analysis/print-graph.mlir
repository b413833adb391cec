// The DOT text, which Graphviz draws: print-graph-svg.mlir.
//
// RUN: job-opt %s --job-print-graph="dot output=%t.dot" -o /dev/null
// RUN: FileCheck %s --check-prefix=JOB < %t.dot
// RUN: job-opt %s --job-print-graph="dot output=%t.one.dot entry=serve" -o /dev/null
// RUN: FileCheck %s --check-prefix=ONE --implicit-check-not="job step" < %t.one.dot
// RUN: job-opt %s --job-train-pipeline --job-print-graph="dot output=%t.train.dot entry=step" -o /dev/null
// RUN: FileCheck %s --check-prefix=TRAIN --implicit-check-not=pow < %t.train.dot
// RUN: job-opt %s --job-train-pipeline --job-print-graph="dot output=%t.all.dot entry=step updates" -o /dev/null
// RUN: FileCheck %s --check-prefix=ALL < %t.all.dot
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline --job-print-graph="dot output=%t.plan.dot entry=step" -o /dev/null
// RUN: FileCheck %s --check-prefix=PLAN < %t.plan.dot
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline --job-print-graph="dot output=%t.planall.dot entry=step updates" -o /dev/null
// RUN: FileCheck %s --check-prefix=PLANALL < %t.planall.dot
// RUN: job-opt %s --pass-pipeline="builtin.module(job-train-pipeline,job.func(job-form-kernels),job-print-graph{dot output=%t.kernels.dot})" -o /dev/null
// RUN: FileCheck %s --check-prefix=KERNELS < %t.kernels.dot
// RUN: not job-opt %s --job-print-graph=entry=missing -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not job-opt %s --job-print-graph="dot output=%t.missing/x.dot" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: echo "" | not job-opt --job-print-graph -o /dev/null 2>&1 | FileCheck %s --check-prefix=EMPTY

// MISSING: error: expects a job or a program 'missing' to draw but got 'step', 'serve'
// FILE: error: cannot write '{{.*}}x.dot': no such file or directory{{$}}
// FILE-NOT: see current operation
// EMPTY: error: expects a job or a program to draw

job.variable @"weight" : !job.blob<8x4xf32> init #job.constant_init<1.0>

// Ops with the user's name, line and FLOPs; blobs with shape and bytes;
// numbers where they are used; what a user names is escaped.
// JOB: digraph jobs {
// JOB: subgraph cluster_0 {
// JOB-NEXT: label=<<font point-size="16"><b>job step (train)</b></font>>
// JOB-NEXT: [[X:n[0-9]+]] [color="#15803d" fillcolor="#dcfce7" style="filled,rounded" tooltip="x&lt;y"
// JOB-NEXT: <b>x&lt;y</b><br/>input</td></tr><tr><td port="v0" {{.*}}>16x4xf32 · 256 B</font>
// JOB-NEXT: [[W:n[0-9]+]] [{{.*}} style="filled,rounded" tooltip="job.read
// JOB-NEXT: <b>weight</b><br/>variable<
// JOB-NEXT: [[MATMUL:n[0-9]+]] [color="#4338ca" fillcolor="#e0e7ff" tooltip="job.matmul\ndense\nmodel.py:3:5\nFLOPs: 1,024\nreads 384 bytes, writes 512"
// JOB-NEXT: <b>matmul</b><br/>dense<br/>{{.*}}>model.py:3 · 1.02 kFLOP<{{.*}} port="v0" {{.*}}>16x8xf32 · 512 B<
// JOB-NEXT: [[MAXIMUM:n[0-9]+]] [color="#475569" fillcolor="#f1f5f9" tooltip="job.maximum
// JOB-NEXT: <b>maximum(·, 0.5)</b>
// JOB: [[OUTPUT:n[0-9]+]] [{{.*}}tooltip="loss"
// JOB: [[X]]:v0:s -> [[MATMUL]] [color="#15803d99" penwidth=0.9 tooltip="16x4xf32 · 256 B: x&lt;y → matmul"];
// JOB-NEXT: [[W]]:v0:s -> [[MATMUL]] [
// JOB-NEXT: [[MATMUL]]:v0:s -> [[MAXIMUM]] [
// JOB: [[MAXIMUM]]:v0:s -> [[OUTPUT]] [
// JOB: subgraph cluster_1 {
// JOB-NEXT: <b>job serve (predict)</b>
// JOB: labelloc=t
// JOB-NEXT: >inputs, outputs</td>{{.*}}>matrix products</td>{{.*}}>elementwise</td>

// ONE: <b>job serve (predict)</b>

// An update is one box unless the user wants to see its ops.
// TRAIN: fillcolor="#ffffff" style="filled,dashed" tooltip="job.matmul\ngradient of dense
// TRAIN: <b>update weight</b>
// TRAIN-SAME: ops ·
// TRAIN: >gradients</td>
// ALL: <b>job step (train)</b>
// ALL: <b>weight</b>

// PLAN: <b>program step (train) · arena {{.*}}B</b>
// PLAN: <b>#0  onednn.matmul</b>
// PLAN: <b>update weight</b>
// PLAN-SAME: commands ·
// PLANALL: <b>#0  onednn.matmul</b>
// PLANALL: assigned

// A kernel frames its ops. What it does not yield has no label: it never
// reaches memory.
// KERNELS: <b>job serve (predict)</b>
// KERNELS-NEXT: [[X:n[0-9]+]] [
// KERNELS: [[OUT:n[0-9]+]] [{{.*}}tooltip="result0"
// KERNELS: subgraph cluster_{{[0-9]+}} {
// KERNELS-NEXT: label=<<b>kernel</b>{{.*}}> color="#334155" fillcolor="#f8fafc" tooltip="job.kernel
// KERNELS-NEXT: [[TANH:n[0-9]+]] [
// KERNELS-NEXT: <b>tanh</b>{{.*}}FLOP</font></td></tr></table>>];
// KERNELS-NEXT: [[ABS:n[0-9]+]] [
// KERNELS-NEXT: <b>abs</b>{{.*}} port="v0" {{.*}}>64xf32 · 256 B<
// KERNELS-NEXT: }
// KERNELS-NEXT: [[X]]:v0:s -> [[TANH]] [
// KERNELS-NEXT: [[TANH]] -> [[ABS]] [
// KERNELS-NEXT: [[ABS]]:v0:s -> [[OUT]] [

job.func @step(%x: !job.blob<16x4xf32> {job.name = "x<y"})
    -> (!job.blob<16x8xf32> {job.name = "loss"}) kind train {
  %w = job.read @weight : !job.blob<8x4xf32>
  %0 = job.matmul %x, %w {transpose_rhs = true}
    : !job.blob<16x4xf32>, !job.blob<8x4xf32> loc("dense"("model.py":3:5))
  %c = job.constant dense<0.5> : tensor<16x8xf32>
  %1 = job.maximum %0, %c : !job.blob<16x8xf32>
  job.loss %1 : !job.blob<16x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %1 : !job.blob<16x8xf32>
}

job.func @serve(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %0 = job.tanh %x : !job.blob<64xf32>
  %1 = job.abs %0 : !job.blob<64xf32>
  job.return %1 : !job.blob<64xf32>
}
