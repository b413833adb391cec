job.func @sums() -> (!job.blob<1xbf16> {job.name = "by_hand"}, !job.blob<1xbf16> {job.name = "acc"}) kind predict {
  %x = job.constant dense<[256.0, 1.0, 1.0, 1.0]> : tensor<4xbf16>
  %sum = job.micro_steps count(4) rows(%x : !job.blob<4xbf16>) sums(!job.blob<1xbf16>) {
  ^bb0(%part: !job.blob<1xbf16>, %sofar: !job.blob<1xbf16>):
    %0 = job.add %sofar, %part : !job.blob<1xbf16>
    job.yield %0 : !job.blob<1xbf16>
  }
  %parts = job.unpack %x {count = 4 : i64} : !job.blob<4xbf16>
  %acc = job.acc %parts {count = 4 : i64} : !job.blob<1xbf16>
  job.return %sum, %acc : !job.blob<1xbf16>, !job.blob<1xbf16>
}
