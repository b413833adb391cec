// One kernel of each form that the code of a GPU is looked at for.

// A chain of elementwise ops with more elements than the device has threads.
job.func @chain(%x: !job.blob<32768x1024xf32>, %y: !job.blob<32768x1024xf32>) -> !job.blob<32768x1024xf32> kind predict {
  %0 = job.mul %x, %y : !job.blob<32768x1024xf32>
  %1 = job.relu %0 : !job.blob<32768x1024xf32>
  %2 = job.add %1, %y : !job.blob<32768x1024xf32>
  job.return %2 : !job.blob<32768x1024xf32>
}

// The same of 16 bits.
job.func @narrow(%x: !job.blob<1024x1024xbf16>, %y: !job.blob<1024x1024xbf16>) -> !job.blob<1024x1024xbf16> kind predict {
  %0 = job.mul %x, %y : !job.blob<1024x1024xbf16>
  job.return %0 : !job.blob<1024x1024xbf16>
}

// A sum of all elements: of a part in each block, then of the parts.
job.func @sum(%x: !job.blob<4096x1024xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0, 1>} : !job.blob<4096x1024xf32>
  job.return %0 : !job.blob<1xf32>
}

// Rows, in registers and shuffles.
job.func @rows(%x: !job.blob<4096x1000xf32>) -> !job.blob<4096x1000xf32> kind predict {
  %0 = job.softmax %x : !job.blob<4096x1000xf32>
  job.return %0 : !job.blob<4096x1000xf32>
}

// A transpose of a large matrix.
job.func @transpose(%x: !job.blob<1000x3000xf32>) -> !job.blob<3000x1000xf32> kind predict {
  %0 = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<1000x3000xf32>
  job.return %0 : !job.blob<3000x1000xf32>
}
