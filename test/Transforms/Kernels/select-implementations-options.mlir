// RUN: not job-opt %s --job-select-implementations=max-chunks=-1 2>&1 | FileCheck %s -DCOUNT=-1
// RUN: not job-opt %s --job-select-implementations=max-chunks=65 2>&1 | FileCheck %s -DCOUNT=65

// CHECK: error: expects max-chunks from 0 to 64 but got [[COUNT]]{{$}}
