// An edge that would cross more than 32 rows begins at a box of its own, which
// repeats what made its value: from exp (row 1) to pow (row 34), but not from
// the first abs (row 2) to add (row 34). Sqrt stands above div, which
// alone reads it.
//
// RUN: job-opt %s --job-print-graph=dot -o /dev/null | FileCheck %s

// CHECK: [[EXP:n[0-9]+]] [{{.*}}tooltip="job.exp
// CHECK: [[SQRT:n[0-9]+]] [{{.*}}tooltip="job.sqrt
// CHECK: [[ABS:n[0-9]+]] [{{.*}}tooltip="job.abs
// CHECK: [[ADD:n[0-9]+]] [{{.*}}tooltip="job.add
// CHECK: [[POW:n[0-9]+]] [{{.*}}tooltip="job.pow
// CHECK: [[COPY:n[0-9]+]] [{{.*}}style="filled,rounded" tooltip="job.exp
// CHECK-NEXT: <b>exp</b>{{.*}}made above{{.*}}4xf32 · 16 B
// CHECK: [[EXP]]:v0:s -> [[ABS]] [
// CHECK: [[ABS]]:v0:s -> [[ADD]] [
// CHECK-NOT: [[EXP]]:v0:s -> [[POW]] [
// CHECK: [[COPY]]:v0:s -> [[POW]] [
// CHECK: [[SQRT]]:v0:s -> n
job.func @deep(%x: !job.blob<4xf32>, %y: !job.blob<4xf32>)
    -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %exp = job.exp %x : !job.blob<4xf32>
  %sqrt = job.sqrt %y : !job.blob<4xf32>
  %1 = job.abs %exp : !job.blob<4xf32>
  %2 = job.abs %1 : !job.blob<4xf32>
  %3 = job.abs %2 : !job.blob<4xf32>
  %4 = job.abs %3 : !job.blob<4xf32>
  %5 = job.abs %4 : !job.blob<4xf32>
  %6 = job.abs %5 : !job.blob<4xf32>
  %7 = job.abs %6 : !job.blob<4xf32>
  %8 = job.abs %7 : !job.blob<4xf32>
  %9 = job.abs %8 : !job.blob<4xf32>
  %10 = job.abs %9 : !job.blob<4xf32>
  %11 = job.abs %10 : !job.blob<4xf32>
  %12 = job.abs %11 : !job.blob<4xf32>
  %13 = job.abs %12 : !job.blob<4xf32>
  %14 = job.abs %13 : !job.blob<4xf32>
  %15 = job.abs %14 : !job.blob<4xf32>
  %16 = job.abs %15 : !job.blob<4xf32>
  %17 = job.abs %16 : !job.blob<4xf32>
  %18 = job.abs %17 : !job.blob<4xf32>
  %19 = job.abs %18 : !job.blob<4xf32>
  %20 = job.abs %19 : !job.blob<4xf32>
  %21 = job.abs %20 : !job.blob<4xf32>
  %22 = job.abs %21 : !job.blob<4xf32>
  %23 = job.abs %22 : !job.blob<4xf32>
  %24 = job.abs %23 : !job.blob<4xf32>
  %25 = job.abs %24 : !job.blob<4xf32>
  %26 = job.abs %25 : !job.blob<4xf32>
  %27 = job.abs %26 : !job.blob<4xf32>
  %28 = job.abs %27 : !job.blob<4xf32>
  %29 = job.abs %28 : !job.blob<4xf32>
  %30 = job.abs %29 : !job.blob<4xf32>
  %31 = job.abs %30 : !job.blob<4xf32>
  %32 = job.abs %31 : !job.blob<4xf32>
  %add = job.add %32, %1 : !job.blob<4xf32>
  %pow = job.pow %32, %exp : !job.blob<4xf32>
  %div = job.div %pow, %sqrt : !job.blob<4xf32>
  job.return %add, %div : !job.blob<4xf32>, !job.blob<4xf32>
}
