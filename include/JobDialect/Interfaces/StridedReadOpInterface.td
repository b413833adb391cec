//===- StridedReadOpInterface.td - Strided access ----------*- tablegen -*-===//

#ifndef JOBDIALECT_INTERFACES_STRIDEDREADOPINTERFACE_TD
#define JOBDIALECT_INTERFACES_STRIDEDREADOPINTERFACE_TD

include "mlir/IR/Interfaces.td"

def StridedReadOpInterface : OpInterface<"StridedReadOpInterface"> {
  let cppNamespace = "::mlir::job";
  let description = [{
    An op with one operand and one result that only changes which elements are
    accessed: each element of the result is an element of the operand, given by an
    offset and strides. Such an op costs nothing inside a kernel; it is cloned
    into each kernel that uses it.
  }];
  let methods = [
    InterfaceMethod<[{
      The element `(i_0, i_1, ...)` of the result is the operand's element with
      the row-major index `offset + sum of strides[d] * i_d`.
    }], "::mlir::job::StridedRead", "getStridedRead">
  ];
}

#endif // JOBDIALECT_INTERFACES_STRIDEDREADOPINTERFACE_TD
