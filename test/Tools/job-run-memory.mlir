// Jobs of a session never run at once: they share one arena, which is as large
// as the largest needs, and whichever runs, that is what is reported. What an
// entry needs itself stands in the table of entries.
//
// RUN: rm -rf %t && mkdir %t
// RUN: job-compile %s --fuse=false --in-place=false -o %t/jobs.so
// RUN: job-run %t/jobs.so --list --json | FileCheck %s --check-prefix=LIST
// RUN: job-run %t/jobs.so --entry small --json | FileCheck %s --check-prefix=SMALL
// RUN: job-run %t/jobs.so --entry large --json | FileCheck %s --check-prefix=LARGE
// RUN: rm -rf %t

// LIST-DAG: "arena":512,
// LIST-DAG: "arena":131072,
// SMALL: "arena_lower_bound":512,
// SMALL-SAME: "memory":{"arena":131072,
// LARGE: "arena_lower_bound":131072,
// LARGE-SAME: "memory":{"arena":131072,

job.func @small(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.exp %0 : !job.blob<64xf32>
  %2 = job.exp %1 : !job.blob<64xf32>
  job.return %2 : !job.blob<64xf32>
}

job.func @large(%x: !job.blob<128x128xf32>) -> !job.blob<128x128xf32> kind predict {
  %0 = job.exp %x : !job.blob<128x128xf32>
  %1 = job.exp %0 : !job.blob<128x128xf32>
  %2 = job.exp %1 : !job.blob<128x128xf32>
  job.return %2 : !job.blob<128x128xf32>
}
