// RUN: job-opt %s --job-print-graph=output=%t.svg -o /dev/null
// RUN: FileCheck %s --check-prefix=JOB < %t.svg
// RUN: job-opt %s --job-print-graph="output=%t.one.svg entry=serve" -o /dev/null
// RUN: FileCheck %s --check-prefix=ONE --implicit-check-not="job step" < %t.one.svg
// RUN: job-opt %s --job-train-pipeline --job-print-graph="output=%t.train.svg entry=step" -o /dev/null
// RUN: FileCheck %s --check-prefix=TRAIN --implicit-check-not=pow < %t.train.svg
// RUN: job-opt %s --job-train-pipeline --job-print-graph="output=%t.all.svg entry=step updates" -o /dev/null
// RUN: FileCheck %s --check-prefix=ALL < %t.all.svg
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline --job-print-graph="output=%t.plan.svg entry=step" -o /dev/null
// RUN: FileCheck %s --check-prefix=PLAN < %t.plan.svg
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline --job-print-graph="output=%t.planall.svg entry=step updates" -o /dev/null
// RUN: FileCheck %s --check-prefix=PLANALL < %t.planall.svg
// RUN: job-opt %s --pass-pipeline="builtin.module(job-train-pipeline,job.func(job-form-kernels),job-print-graph{output=%t.kernels.svg entry=serve})" -o /dev/null
// RUN: FileCheck %s --check-prefix=KERNELS < %t.kernels.svg
// RUN: not job-opt %s --job-print-graph=entry=missing -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not job-opt %s --job-print-graph=output=%t.missing/x.svg -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: echo "" | not job-opt --job-print-graph -o /dev/null 2>&1 | FileCheck %s --check-prefix=EMPTY

// MISSING: error: expects a job or a program 'missing' to draw but got 'step', 'serve'
// FILE: error: cannot open output file '{{.*}}x.svg': No such file or directory
// FILE-NOT: see current operation
// EMPTY: error: expects a job or a program to draw

job.variable @"weight" : !job.blob<8x4xf32> init #job.constant_init<1.0>

// Ops with the user's name, line and FLOPs; blobs with shape and bytes;
// numbers where they are used; what a user names is escaped.
// JOB: <svg
// JOB: matrix products
// JOB: elementwise
// JOB: >job step (train)<
// JOB: <title>16x8xf32 · 512 B: matmul → maximum(·, 0.5)</title>
// JOB: >x&lt;y<
// JOB: >16x4xf32 · 256 B<
// JOB: >weight<
// JOB: <title>job.matmul
// JOB-NEXT: dense
// JOB-NEXT: model.py:3:5
// JOB-NEXT: FLOPs: 1,024
// JOB-NEXT: reads 384 bytes, writes 512</title>
// JOB: >dense<
// JOB: >model.py:3 · 1.02 kFLOP<
// JOB: >maximum(·, 0.5)<
// JOB: >job serve (predict)<
// JOB: </svg>

// ONE: >job serve (predict)<

// An update is one box unless the user wants to see its ops.
// TRAIN: >gradients<
// TRAIN: >gradient of dense<
// TRAIN: >update weight<
// TRAIN: ops ·
// ALL: >job step (train)<
// ALL: >weight<

// PLAN: >program step (train) · arena {{.*}}B<
// PLAN: >#0  onednn.matmul<
// PLAN: >update weight<
// PLAN: commands · 
// PLANALL: >#0  onednn.matmul<
// PLANALL: >assigned<

// A kernel frames its ops.
// KERNELS: >kernel<
// KERNELS: >tanh<
// KERNELS: >abs<

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
