// Conversions of floats of 16 bits, and selections of them, become arithmetic on
// integers: artifacts have no library with functions for them.
//
// RUN: job-opt %s --job-lower-kernels | FileCheck %s
// RUN: job-opt %s --job-lower-kernels | FileCheck %s --check-prefix=GONE
// GONE-NOT: {{fpext.* vector<16xb?f16> to}}
// GONE-NOT: {{fptrunc.* to vector<16xb?f16>}}
// GONE-NOT: {{select.*bf16}}

// CHECK-LABEL: llvm.func internal @narrow_code(
// CHECK: llvm.zext %{{.*}} : vector<16xi16> to vector<16xi32>
// CHECK: llvm.shl
// CHECK: llvm.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK: llvm.fptrunc %{{.*}} : vector<16xf64> to vector<16xf32>
// CHECK: llvm.trunc %{{.*}} : vector<16xi32> to vector<16xi16>
plan.executable @narrow {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func @cpu_code(%x: memref<16xi16>, %c: memref<16xi8>, %y: memref<16xi16>, %z: memref<16xf64>, %chunk: index) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0> : vector<16xi8>
    %bits = vector.load %x[%c0] : memref<16xi16>, vector<16xi16>
    %a = arith.bitcast %bits : vector<16xi16> to vector<16xbf16>
    %wide = arith.extf %a : vector<16xbf16> to vector<16xf64>
    %sum = arith.addf %wide, %wide : vector<16xf64>
    vector.store %sum, %z[%c0] : memref<16xf64>, vector<16xf64>
    %b = arith.truncf %sum : vector<16xf64> to vector<16xbf16>
    %byte = vector.load %c[%c0] : memref<16xi8>, vector<16xi8>
    %flag = arith.cmpi ne, %byte, %zero : vector<16xi8>
    %chosen = arith.select %flag, %a, %b : vector<16xi1>, vector<16xbf16>
    %out = arith.bitcast %chosen : vector<16xbf16> to vector<16xi16>
    vector.store %out, %y[%c0] : memref<16xi16>, vector<16xi16>
    return
  }
}
