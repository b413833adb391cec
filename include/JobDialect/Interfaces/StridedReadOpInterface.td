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
    InterfaceMethod<"The element of the operand for each element of the result.",
      "::mlir::job::StridedRead", "getStridedRead">
  ];
}

#endif // JOBDIALECT_INTERFACES_STRIDEDREADOPINTERFACE_TD
