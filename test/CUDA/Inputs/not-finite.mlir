// The logarithm of numbers below 0: inputs are in [0, 1).
job.func @log(%x: !job.blob<64xf32> {job.name = "x"}) -> (!job.blob<64xf32> {job.name = "y"}) kind predict {
  %0 = job.neg %x : !job.blob<64xf32>
  %1 = job.log %0 : !job.blob<64xf32> loc("bad"("not-finite.mlir":4:1))
  job.return %1 : !job.blob<64xf32>
}
