// The logarithm of numbers around 0.
job.func @log(%x: !job.blob<64xf32> {job.name = "x"}) -> (!job.blob<64xf32> {job.name = "y"}) kind predict {
  %0 = job.log %x : !job.blob<64xf32> loc("bad"("not-finite.mlir":3:1))
  job.return %0 : !job.blob<64xf32>
}
