// The machine code of kernels is in the vectors of the processor asked for, on
// whatever machine it is compiled.
//
// REQUIRES: x86_64
// RUN: job-compile %s --mcpu=skylake-avx512 -o %t.so
// RUN: llvm-objdump -d --no-show-raw-insn %t.so | FileCheck %s --check-prefix=AVX512
// RUN: job-compile %s --mcpu=haswell -o %t.so
// RUN: llvm-objdump -d --no-show-raw-insn %t.so | FileCheck %s --check-prefix=AVX2 --implicit-check-not=%%zmm
// RUN: job-compile %s --mcpu=x86-64 -o %t.so
// RUN: llvm-objdump -d --no-show-raw-insn %t.so | FileCheck %s --check-prefix=SSE --implicit-check-not=%%ymm
//
// Features are taken away one by one as well.
// RUN: job-compile %s --mcpu=haswell --mattr=-avx -o %t.so
// RUN: llvm-objdump -d --no-show-raw-insn %t.so | FileCheck %s --check-prefix=SSE --implicit-check-not=%%ymm

job.variable @w : !job.blob<512x1000xf32> init #job.constant_init<0.0>
// Elementwise, with a broadcast row and an exponential: no scalar loop over the
// elements, and no call.
// AVX512-LABEL: <jobk_0>:
// AVX512-NOT: call
// AVX512-DAG: vaddps {{.*}}%zmm{{.*}}%zmm
// AVX512-DAG: vmulps {{.*}}%zmm{{.*}}%zmm
// AVX2-LABEL: <jobk_0>:
// AVX2-NOT: call
// AVX2-DAG: vaddps {{.*}}%ymm{{.*}}%ymm
// AVX2-DAG: vmulps {{.*}}%ymm{{.*}}%ymm
// SSE-LABEL: <jobk_0>:
// SSE-DAG: {{[[:space:]]}}addps {{.*}}%xmm
// SSE-DAG: {{[[:space:]]}}mulps {{.*}}%xmm
job.func @chain(%x: !job.blob<100x1000xf32>, %b: !job.blob<1000xf32>) -> !job.blob<100x1000xf32> kind predict {
  %0 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<1000xf32> to !job.blob<100x1000xf32>
  %1 = job.add %x, %0 : !job.blob<100x1000xf32>
  %2 = job.relu %1 : !job.blob<100x1000xf32>
  %3 = job.exp %2 : !job.blob<100x1000xf32>
  job.return %3 : !job.blob<100x1000xf32>
}
// A row's sum, whose terms may be added in any order.
// AVX512-LABEL: <jobk_1>:
// AVX512-COUNT-2: vaddps {{.*}}%zmm{{.*}}%zmm
// AVX2-LABEL: <jobk_1>:
// AVX2-COUNT-2: vaddps {{.*}}%ymm{{.*}}%ymm
// SSE-LABEL: <jobk_1>:
// SSE-COUNT-2: {{[[:space:]]}}addps {{.*}}%xmm
job.func @sum(%x: !job.blob<100x1000xf32>) -> !job.blob<100xf32> kind predict {
  %1 = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<100x1000xf32>
  job.return %1 : !job.blob<100xf32>
}
// Columns' sums, a row at a time.
// AVX512-LABEL: <jobk_2>:
// AVX512: vaddps {{.*}}%zmm{{.*}}%zmm
// AVX2-LABEL: <jobk_2>:
// AVX2: vaddps {{.*}}%ymm{{.*}}%ymm
// SSE-LABEL: <jobk_2>:
// SSE: {{[[:space:]]}}addps {{.*}}%xmm
job.func @columns(%x: !job.blob<100x1000xf32>) -> !job.blob<1000xf32> kind predict {
  %1 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<100x1000xf32>
  job.return %1 : !job.blob<1000xf32>
}
// An update in place: one pointer is read and written. LLVM may add the product
// with the negated constant.
// AVX512-LABEL: <jobk_3>:
// AVX512-DAG: vmulps {{.*}}%zmm{{.*}}%zmm
// AVX512-DAG: v{{add|sub}}ps {{.*}}%zmm{{.*}}%zmm
// AVX2-LABEL: <jobk_3>:
// AVX2-DAG: vmulps {{.*}}%ymm{{.*}}%ymm
// AVX2-DAG: v{{add|sub}}ps {{.*}}%ymm{{.*}}%ymm
// SSE-LABEL: <jobk_3>:
// SSE-DAG: {{[[:space:]]}}mulps {{.*}}%xmm
// SSE-DAG: {{[[:space:]]}}{{add|sub}}ps {{.*}}%xmm
job.func @update(%g: !job.blob<512x1000xf32>) kind predict {
  %c = job.constant dense<0.1> : tensor<512x1000xf32>
  %0 = job.read @w : !job.blob<512x1000xf32>
  %1 = job.mul %g, %c : !job.blob<512x1000xf32>
  %2 = job.sub %0, %1 : !job.blob<512x1000xf32>
  job.assign @w, %2 : !job.blob<512x1000xf32>
  job.return
}
