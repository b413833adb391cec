// A row that does not exist is reported by the gather that asks for it, whether
// it has one element or many; an infinity to pad with is no error.
//
// RUN: not job-run %s --check-numerics --entry gathered 2>&1 | FileCheck %s -DOP=gathered
// RUN: not job-run %s --check-numerics --entry gathered_elements 2>&1 | FileCheck %s -DOP=gathered_elements
// RUN: job-run %s --check-numerics --entry padded | FileCheck %s --check-prefix=PADDED

// CHECK: error: {{.*}}job '[[OP]]', '[[OP]]': expects finite values but got NaN in step 1 of this job

job.func @gathered(%x: !job.blob<5x8xf32>) -> !job.blob<2x8xf32> kind predict {
  %i = job.constant dense<[1, 7]> : tensor<2xi32>
  %g = job.gather %x, %i {axis = 0 : i64} : !job.blob<5x8xf32>, !job.blob<2xi32> loc("gathered")
  job.return %g : !job.blob<2x8xf32>
}

job.func @gathered_elements(%x: !job.blob<5xf32>) -> !job.blob<2xf32> kind predict {
  %i = job.constant dense<[1, 7]> : tensor<2xi32>
  %g = job.gather %x, %i {axis = 0 : i64} : !job.blob<5xf32>, !job.blob<2xi32> loc("gathered_elements")
  job.return %g : !job.blob<2xf32>
}

// PADDED: padded: {{.*}} s a step
job.func @padded(%x: !job.blob<5x8xf32>) -> !job.blob<7x8xf32> kind predict {
  %p = job.pad %x {low = array<i64: 1, 0>, high = array<i64: 1, 0>, interior = array<i64: 0, 0>, value = 0xFFF0000000000000 : f64} : !job.blob<5x8xf32>
  job.return %p : !job.blob<7x8xf32>
}
