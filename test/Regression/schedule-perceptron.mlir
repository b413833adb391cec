// The gradients of all data before those of the weights keep every one of them.
// Kernels that overwrite made that order look like the best: 6,815,744 bytes.
//
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline | FileCheck %s
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline=in-place=false | FileCheck %s
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline=memory-budget=23000000 -o /dev/null

// CHECK: plan.program @train kind train sizes<arena = 4718592

job.variable @"d0-weight" : !job.blob<512x512xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.05>
job.variable @"d0-bias" : !job.blob<512xf32> init #job.constant_init<0.0>
job.variable @"d1-weight" : !job.blob<512x512xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.05>
job.variable @"d1-bias" : !job.blob<512xf32> init #job.constant_init<0.0>
job.variable @"d2-weight" : !job.blob<512x512xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.05>
job.variable @"d2-bias" : !job.blob<512xf32> init #job.constant_init<0.0>
job.variable @"d3-weight" : !job.blob<512x512xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.05>
job.variable @"d3-bias" : !job.blob<512xf32> init #job.constant_init<0.0>
job.variable @"d4-weight" : !job.blob<512x512xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.05>
job.variable @"d4-bias" : !job.blob<512xf32> init #job.constant_init<0.0>
job.variable @"d5-weight" : !job.blob<512x512xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.05>
job.variable @"d5-bias" : !job.blob<512xf32> init #job.constant_init<0.0>
job.variable @"o-weight" : !job.blob<10x512xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.05>
job.variable @"o-bias" : !job.blob<10xf32> init #job.constant_init<0.0>
job.func @train(%arg0: !job.blob<256x512xf32> {job.name = "x"}, %arg1: !job.blob<256xi32> {job.name = "y"}) -> (!job.blob<256xf32> {job.name = "loss"}) kind train {
  %0 = job.read @"d0-weight" : <512x512xf32>
  %1 = job.matmul %arg0, %0 {transpose_rhs = true} : <256x512xf32>, <512x512xf32>
  %2 = job.read @"d0-bias" : <512xf32>
  %3 = job.broadcast_in_dim %2 {dims = array<i64: 1>} : <512xf32> to <256x512xf32>
  %4 = job.add %1, %3 : <256x512xf32>
  %5 = job.relu %4 : <256x512xf32>
  %6 = job.read @"d1-weight" : <512x512xf32>
  %7 = job.matmul %5, %6 {transpose_rhs = true} : <256x512xf32>, <512x512xf32>
  %8 = job.read @"d1-bias" : <512xf32>
  %9 = job.broadcast_in_dim %8 {dims = array<i64: 1>} : <512xf32> to <256x512xf32>
  %10 = job.add %7, %9 : <256x512xf32>
  %11 = job.relu %10 : <256x512xf32>
  %12 = job.read @"d2-weight" : <512x512xf32>
  %13 = job.matmul %11, %12 {transpose_rhs = true} : <256x512xf32>, <512x512xf32>
  %14 = job.read @"d2-bias" : <512xf32>
  %15 = job.broadcast_in_dim %14 {dims = array<i64: 1>} : <512xf32> to <256x512xf32>
  %16 = job.add %13, %15 : <256x512xf32>
  %17 = job.relu %16 : <256x512xf32>
  %18 = job.read @"d3-weight" : <512x512xf32>
  %19 = job.matmul %17, %18 {transpose_rhs = true} : <256x512xf32>, <512x512xf32>
  %20 = job.read @"d3-bias" : <512xf32>
  %21 = job.broadcast_in_dim %20 {dims = array<i64: 1>} : <512xf32> to <256x512xf32>
  %22 = job.add %19, %21 : <256x512xf32>
  %23 = job.relu %22 : <256x512xf32>
  %24 = job.read @"d4-weight" : <512x512xf32>
  %25 = job.matmul %23, %24 {transpose_rhs = true} : <256x512xf32>, <512x512xf32>
  %26 = job.read @"d4-bias" : <512xf32>
  %27 = job.broadcast_in_dim %26 {dims = array<i64: 1>} : <512xf32> to <256x512xf32>
  %28 = job.add %25, %27 : <256x512xf32>
  %29 = job.relu %28 : <256x512xf32>
  %30 = job.read @"d5-weight" : <512x512xf32>
  %31 = job.matmul %29, %30 {transpose_rhs = true} : <256x512xf32>, <512x512xf32>
  %32 = job.read @"d5-bias" : <512xf32>
  %33 = job.broadcast_in_dim %32 {dims = array<i64: 1>} : <512xf32> to <256x512xf32>
  %34 = job.add %31, %33 : <256x512xf32>
  %35 = job.relu %34 : <256x512xf32>
  %36 = job.read @"o-weight" : <10x512xf32>
  %37 = job.matmul %35, %36 {transpose_rhs = true} : <256x512xf32>, <10x512xf32>
  %38 = job.read @"o-bias" : <10xf32>
  %39 = job.broadcast_in_dim %38 {dims = array<i64: 1>} : <10xf32> to <256x10xf32>
  %40 = job.add %37, %39 : <256x10xf32>
  %41 = job.sparse_softmax_cross_entropy %40, %arg1 : <256x10xf32>, <256xi32>
  job.loss %41 : <256xf32>
  job.minimize #job.adam<beta1 = 9.000000e-01, beta2 = 0.99899999999999999, epsilon = 1.000000e-08, bias_correction = false> schedule #job.constant_schedule<1.000000e-03>
  job.return %41 : !job.blob<256xf32>
}

