// A product of bf16 by a function that is chosen in the text.
job.func @product(%a: !job.blob<4x4xbf16> {job.name = "a"}) -> (!job.blob<4x4xbf16> {job.name = "out"}) kind predict {
  %0 = job.matmul %a, %a {plan.implementation = #plan.onednn.matmul<m = 4, n = 4, k = 4, type = bf16, slice = 64>} : !job.blob<4x4xbf16>, !job.blob<4x4xbf16>
  job.return %0 : !job.blob<4x4xbf16>
}
