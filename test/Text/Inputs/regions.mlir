// Kernel regions as a person writes them.

job.func @rows(%x: !job.blob<6x40xf32> {job.name = "x"}) -> (!job.blob<6x40xf32> {job.name = "a"}, !job.blob<6xf32> {job.name = "b"}) kind predict {
  %r:2 = job.kernel(%a = %x : !job.blob<6x40xf32>) -> (!job.blob<6x40xf32>, !job.blob<6xf32>) {
    %0 = job.neg %a : !job.blob<6x40xf32>
    %1 = job.softmax %0 : !job.blob<6x40xf32>
    %2 = job.reduce_sum %1 {axes = array<i64: 1>, keepdims = false} : !job.blob<6x40xf32>
    %3 = job.exp %1 : !job.blob<6x40xf32>
    job.yield %3, %2 : !job.blob<6x40xf32>, !job.blob<6xf32>
  }
  job.return %r#0, %r#1 : !job.blob<6x40xf32>, !job.blob<6xf32>
}

job.func @columns(%x: !job.blob<6x40xf32> {job.name = "x"}, %y: !job.blob<40x6xf32> {job.name = "y"}) -> (!job.blob<40xf32> {job.name = "a"}, !job.blob<40x6xf32> {job.name = "b"}) kind predict {
  %s = job.kernel(%a = %x : !job.blob<6x40xf32>) -> !job.blob<40xf32> {
    %0 = job.exp %a : !job.blob<6x40xf32>
    %1 = job.reduce_max %0 {axes = array<i64: 0>, keepdims = false} : !job.blob<6x40xf32>
    job.yield %1 : !job.blob<40xf32>
  }
  %t = job.kernel(%a = %s : !job.blob<40xf32>, %b = %y : !job.blob<40x6xf32>, %c = %x : !job.blob<6x40xf32>) -> !job.blob<40x6xf32> {
    %0 = job.broadcast_in_dim %a {dims = array<i64: 0>} : !job.blob<40xf32> to !job.blob<40x6xf32>
    %1 = job.transpose %c {permutation = array<i64: 1, 0>} : !job.blob<6x40xf32>
    %2 = job.mul %0, %b : !job.blob<40x6xf32>
    %3 = job.add %2, %1 : !job.blob<40x6xf32>
    job.yield %3 : !job.blob<40x6xf32>
  }
  job.return %s, %t : !job.blob<40xf32>, !job.blob<40x6xf32>
}
