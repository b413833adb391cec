job.func @f() -> (!job.blob<2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  job.return %x : !job.blob<2xf32>
}
