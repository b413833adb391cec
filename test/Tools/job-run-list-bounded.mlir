// A bounded number of rows is shown as in the type of a blob.
//
// RUN: job-run %s --list | FileCheck %s
// RUN: job-run %s --list --json | FileCheck %s --check-prefix=JSON

// CHECK:      predict nonzero
// CHECK-NEXT:   input {{.*}}: 10x10xf32
// CHECK-NEXT:   output {{.*}}: ?<=100>x2xi32
// CHECK-NEXT:   output {{.*}}: 1xi64
// JSON: "type":"?<=100>x2xi32"

// CHECK:      predict columns
// CHECK-NEXT:   input {{.*}}: 2x3x4xf32
// CHECK-NEXT:   input {{.*}}: 1xi64
// CHECK-NEXT:   output {{.*}}: 2x?<=3>x4xf32
// JSON: "type":"2x?<=3>x4xf32"

job.func @nonzero(%x: !job.blob<10x10xf32>) -> (!job.blob<?<=100>x2xi32>, !job.blob<1xi64>) kind predict {
  %indices, %count = job.argwhere %x as i32 : !job.blob<10x10xf32>
  job.return %indices, %count : !job.blob<?<=100>x2xi32>, !job.blob<1xi64>
}

job.func @columns(%x: !job.blob<2x3x4xf32>, %n: !job.blob<1xi64>) -> (!job.blob<2x?<=3>x4xf32>, !job.blob<1xi64>) kind predict {
  %y = job.slice_to_dynamic %x, %n {dim = 1 : i64} : !job.blob<2x3x4xf32>
  job.return %y, %n : !job.blob<2x?<=3>x4xf32>, !job.blob<1xi64>
}
