// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// Every element type, one and several dimensions, the largest blob.

// CHECK-LABEL: job.func @elements(
// CHECK-SAME:    %{{.*}}: !job.blob<1xf32>, %{{.*}}: !job.blob<2x3xf64>,
// CHECK-SAME:    %{{.*}}: !job.blob<4xi1>, %{{.*}}: !job.blob<4xi8>,
// CHECK-SAME:    %{{.*}}: !job.blob<4xi32>, %{{.*}}: !job.blob<4x1x1x1xi64>,
// CHECK-SAME:    %{{.*}}: !job.blob<4xf16>, %{{.*}}: !job.blob<4xbf16>,
// CHECK-SAME:    %{{.*}}: !job.blob<4xui8>)
job.func @elements(%0: !job.blob<1xf32>, %1: !job.blob<2x3xf64>,
                   %2: !job.blob<4xi1>, %3: !job.blob<4xi8>,
                   %4: !job.blob<4xi32>, %5: !job.blob<4x1x1x1xi64>,
                   %6: !job.blob<4xf16>, %7: !job.blob<4xbf16>,
                   %8: !job.blob<4xui8>)
    kind predict {
  job.return
}

// 2^59 elements.
// CHECK-LABEL: job.func @large(
// CHECK-SAME:    !job.blob<1024x562949953421312xi8>
job.func @large(%0: !job.blob<1024x562949953421312xi8>) kind predict {
  job.return
}

// Where only a blob can stand, its name may be left out.
// CHECK-LABEL: job.func @short
// CHECK: job.neg %{{.*}} : <4xf32>
job.func @short(%0: !job.blob<4xf32>) kind predict {
  %1 = job.neg %0 : <4xf32>
  job.return
}

// CHECK-LABEL: job.func @bounded
job.func @bounded(%0: !job.blob<3x4xi1>)
    -> (!job.blob<?<=12>x2xi32>, !job.blob<1xi64>) kind predict {
  %1, %2 = job.argwhere %0 as i32 : !job.blob<3x4xi1>
  // CHECK: job.return %{{.*}}, %{{.*}} : !job.blob<?<=12>x2xi32>, !job.blob<1xi64>
  job.return %1, %2 : !job.blob<?<=12>x2xi32>, !job.blob<1xi64>
}

// CHECK-LABEL: job.func @bounded_inside
job.func @bounded_inside(%0: !job.blob<3x4x5xf32>, %1: !job.blob<1xi64>)
    -> (!job.blob<3x?<=4>x5xf32>, !job.blob<3x4x?<=5>xf32>, !job.blob<1xi64>) kind predict {
  %2 = job.slice_to_dynamic %0, %1 {dim = 1 : i64} : !job.blob<3x4x5xf32>
  %3 = job.slice_to_dynamic %0, %1 {dim = 2 : i64} : !job.blob<3x4x5xf32>
  // CHECK: job.return %{{.*}} : !job.blob<3x?<=4>x5xf32>, !job.blob<3x4x?<=5>xf32>, !job.blob<1xi64>
  job.return %2, %3, %1 : !job.blob<3x?<=4>x5xf32>, !job.blob<3x4x?<=5>xf32>, !job.blob<1xi64>
}
