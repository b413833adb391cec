// Code for floats of 16 bits calls no function of a compiler's library, where
// LLVM itself would call __truncsfhf2, __extendhfsf2 and __truncsfbf2.
//
// REQUIRES: x86_64
// RUN: job-compile %s --mcpu=x86-64 -o %t.so
// RUN: llvm-nm -D --undefined-only %t.so | FileCheck %s --allow-empty
// RUN: job-compile %s --mcpu=haswell --mattr=-f16c -o %t.so
// RUN: llvm-nm -D --undefined-only %t.so | FileCheck %s --allow-empty
// RUN: job-compile %s --mcpu=sapphirerapids -o %t.so
// RUN: llvm-nm -D --undefined-only %t.so | FileCheck %s --allow-empty
// CHECK-NOT: {{ U _}}

job.variable @w : !job.blob<37x17xf16> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @v : !job.blob<37x17xbf16> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.func @train(%x: !job.blob<8x37xf16>, %i: !job.blob<5xui8>, %d: !job.blob<8x17xf64>) -> (!job.blob<8x17xbf16>, !job.blob<5x17xf16>, !job.blob<8x40xf16>) kind train {
  %w = job.read @w : !job.blob<37x17xf16>
  %v = job.read @v : !job.blob<37x17xbf16>
  %0 = job.matmul %x, %w : !job.blob<8x37xf16>, !job.blob<37x17xf16>
  %1 = job.softmax %0 : !job.blob<8x17xf16>
  %2 = job.cast %1 : !job.blob<8x17xf16> to !job.blob<8x17xbf16>
  %3 = job.cast %x : !job.blob<8x37xf16> to !job.blob<8x37xbf16>
  %4 = job.matmul %3, %v : !job.blob<8x37xbf16>, !job.blob<37x17xbf16>
  %5 = job.mul %2, %4 : !job.blob<8x17xbf16>
  %6 = job.cast %d : !job.blob<8x17xf64> to !job.blob<8x17xbf16>
  %7 = job.compare lt %5, %6 : !job.blob<8x17xbf16>
  %8 = job.select %7, %5, %6 : !job.blob<8x17xi1>, !job.blob<8x17xbf16>
  job.loss %8 : !job.blob<8x17xbf16>
  %9 = job.gather %w, %i {axis = 0 : i64} : !job.blob<37x17xf16>, !job.blob<5xui8>
  %10 = job.pad %x {low = array<i64: 0, 1>, high = array<i64: 0, 2>, interior = array<i64: 0, 0>, value = 1.5 : f64} : !job.blob<8x37xf16>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %8, %9, %10 : !job.blob<8x17xbf16>, !job.blob<5x17xf16>, !job.blob<8x40xf16>
}
