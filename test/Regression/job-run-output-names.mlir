// An output's name is the user's and must not lead out of the folder.
//
// RUN: rm -rf %t && mkdir %t
// RUN: job-run %s --entry names --output %t/out
// RUN: ls %t | FileCheck %s --check-prefix=OUTSIDE
// RUN: ls %t/out | FileCheck %s
//
// OUTSIDE-NOT: up
// OUTSIDE: out
// CHECK: _._up.npy
// CHECK: a_b.npy

job.func @names(%x: !job.blob<2xf32>) -> (!job.blob<2xf32> {job.name = "../up"}, !job.blob<2xf32> {job.name = "a/b"}) kind predict {
  job.return %x, %x : !job.blob<2xf32>, !job.blob<2xf32>
}
