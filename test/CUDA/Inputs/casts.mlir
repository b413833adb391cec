// Conversions to bf16 that must round once.

#gpu = #job.placement<gpu, "0:0">

job.func @convert(%i: !job.blob<32xi32>, %l: !job.blob<32xi64>, %d: !job.blob<32xf64>) -> (!job.blob<32xbf16>, !job.blob<32xbf16>, !job.blob<32xbf16>, !job.blob<32xbf16>) kind predict attributes {placement = #gpu} {
  %0 = job.cast %i : !job.blob<32xi32> to !job.blob<32xbf16>
  %1 = job.cast %l : !job.blob<32xi64> to !job.blob<32xbf16>
  %2 = job.cast %d : !job.blob<32xf64> to !job.blob<32xbf16>
  %3 = job.cast %i : !job.blob<32xi32> to !job.blob<32xf64>
  %4 = job.cast %3 : !job.blob<32xf64> to !job.blob<32xbf16>
  job.return %0, %1, %2, %4 : !job.blob<32xbf16>, !job.blob<32xbf16>, !job.blob<32xbf16>, !job.blob<32xbf16>
}
