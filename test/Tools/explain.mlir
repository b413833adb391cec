// Why ops became one kernel and why not, what is updated in place, how the
// arena was packed, how kernels run: each category alone, in each tool.
//
// RUN: job-opt %s --job-plan-pipeline --explain=fusion -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUSION --implicit-check-not="memory:" --implicit-check-not="kernels:"
// RUN: job-opt %s --job-plan-pipeline=fuse=false --explain=fusion -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: job-opt %s --job-plan-pipeline --explain=memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=MEMORY --implicit-check-not="fusion:"
// RUN: job-opt %s --job-plan-pipeline --explain=kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS --implicit-check-not="fusion:"
// RUN: job-opt %s --job-plan-pipeline -o /dev/null 2>&1 | count 0
// RUN: job-compile %s -o %t.so --explain=fusion,memory 2>&1 | FileCheck %s --check-prefix=FUSION --implicit-check-not="kernels:"
// RUN: not job-opt %s --explain=speed 2>&1 | FileCheck %s --check-prefix=UNKNOWN
//
// An artifact in the cache is no reason to say nothing.
// RUN: job-run %s --entry step --explain=fusion 2>&1 | FileCheck %s --check-prefix=FUSION
// RUN: job-run %s --entry step --explain=fusion 2>&1 | FileCheck %s --check-prefix=FUSION
//
// RUN: not job-opt %t.missing --explain=fusion 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: cannot open input file
//
// UNKNOWN: for the --explain option: expects one of fusion, memory, kernels but got 'speed'

job.variable @w : !job.blob<512x784xf32> init #job.constant_init<0.0>
job.variable @last : !job.blob<100x512xf32> init #job.constant_init<0.0>

// FUSION-DAG: model.py:4:1: fusion: step: bias: add is not fused with hidden (matmul): hidden (matmul) is a call of onednn.matmul; 204,800 bytes go through memory
// FUSION-DAG: model.py:7:1: fusion: step: scale: 4 ops run as one kernel over 100x512, which saves writing 205,200 and reading 410,000 bytes: bias (add), activation (relu), rows (reduce_sum), scale (mul)
// FUSION-DAG: model.py:11:1: fusion: step: total: reduce_sum is not fused with scale (mul): its iteration space is 100 and not 100x512; 400 bytes go through memory
// FUSION-DAG: model.py:12:1: fusion: step: columns: reduce_sum is not fused with activation (relu): it reduces axes 0 and the other 1; 204,800 bytes go through memory
// FUSION-DAG: model.py:13:1: fusion: step: weights: exp is not fused with columns (reduce_sum): it needs the finished reduction, whose rows are not contiguous, too long or too few to go over them again in the same kernel; 2,048 bytes go through memory

// OFF: activation: relu is not fused with bias (add): fusion is off; 204,800 bytes go through memory

// MEMORY-DAG: memory: step: variable 'last' is updated in place, which saves a buffer of 204,800 bytes and its copy
// MEMORY-DAG: memory: step: variable 'w' is not updated in place: no kernel or call computes the new value; 1,605,632 bytes are copied
// MEMORY-DAG: memory: step: the arena has {{[0-9,]+}} bytes for {{[0-9]+}} buffers, 0 above the lower bound of {{[0-9,]+}}, by strategy best; by others: {{.*}} none {{[0-9,]+}}
// MEMORY-DAG: model.py:3:1: memory: step: hidden: 204,800 bytes are live at the peak, command {{[0-9]+}}, from command 0 to {{[0-9]+}}

// KERNELS-DAG: model.py:3:1: kernels: step: hidden: matmul is a call of onednn.matmul in {{[0-9]+}} chunk{{s?}}, with 0 bytes of workspace and 80.3 MFLOP;{{.*}} m 100 n 512 k 784
// KERNELS-DAG: model.py:4:1: kernels: step: bias, activation, rows and 1 more: runs as [[SUM:kernel_[0-9]+]]
// KERNELS-DAG: model.py:4:1: kernels: [[SUM]]: bias, activation, rows and 1 more: the domain 100x512; loops from the outside in: 100, 512 reduced in vectors of 16; each sum has 64 accumulators of at most 128 terms, which are then added up; 3 chunks of 34 iterations of the loop of 100 for about 51300 operations
// KERNELS-DAG: model.py:13:1: kernels: step: weights: runs as [[WEIGHTS:kernel_[0-9]+]]
// KERNELS-DAG: model.py:13:1: kernels: [[WEIGHTS]]: weights: the domain 512; loops from the outside in: 512 in vectors of 16; one chunk for about 5632 operations, since a second one pays from 32768 on
// KERNELS-DAG: model.py:10:1: kernels: step: largest: runs as [[LARGEST:kernel_[0-9]+]]
// KERNELS-DAG: model.py:10:1: kernels: [[LARGEST]]: largest: the domain 100x512; loops from the outside in: 100, 512 reduced in vectors of 16; {{.*}}chunk
job.func @step(%x: !job.blob<100x784xf32>, %b: !job.blob<512xf32>, %labels: !job.blob<100xi32>,
               %new: !job.blob<512x784xf32>)
    -> (!job.blob<100xf32>, !job.blob<100xf32>, !job.blob<100xi64>, !job.blob<1xf32>, !job.blob<512xf32>) kind predict {
  %w = job.read @w : !job.blob<512x784xf32>
  %0 = job.matmul %x, %w {transpose_rhs = true} : !job.blob<100x784xf32>, !job.blob<512x784xf32> loc("hidden"("model.py":3:1))
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<512xf32> to !job.blob<100x512xf32> loc("bias"("model.py":4:1))
  %2 = job.add %0, %1 : !job.blob<100x512xf32> loc("bias"("model.py":4:1))
  %3 = job.relu %2 : !job.blob<100x512xf32> loc("activation"("model.py":5:1))
  %4 = job.reduce_sum %3 {axes = array<i64: 1>} : !job.blob<100x512xf32> loc("rows"("model.py":5:1))
  %5 = job.mul %4, %4 : !job.blob<100xf32> loc("scale"("model.py":7:1))
  %6 = job.sparse_softmax_cross_entropy %3, %labels : !job.blob<100x512xf32>, !job.blob<100xi32> loc("loss"("model.py":8:1))
  %7 = job.argmax %3 {axis = 1 : i64} : !job.blob<100x512xf32> loc("largest"("model.py":10:1))
  job.assign @last, %3 : !job.blob<100x512xf32>
  job.assign @w, %new : !job.blob<512x784xf32>
  %8 = job.reduce_sum %5 {axes = array<i64: 0>} : !job.blob<100xf32> loc("total"("model.py":11:1))
  %9 = job.reduce_sum %3 {axes = array<i64: 0>} : !job.blob<100x512xf32> loc("columns"("model.py":12:1))
  %10 = job.exp %9 : !job.blob<512xf32> loc("weights"("model.py":13:1))
  job.return %5, %6, %7, %8, %10 : !job.blob<100xf32>, !job.blob<100xf32>, !job.blob<100xi64>, !job.blob<1xf32>, !job.blob<512xf32>
}
