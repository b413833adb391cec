"""Changes one element of the first array of floats of an .npz file."""
import sys

import numpy

arrays = dict(numpy.load(sys.argv[1]))
array = next(a for a in arrays.values() if a.dtype.kind == "f" and a.size)
array.flat[0] = array.flat[0] + 1
numpy.savez_compressed(sys.argv[1], **arrays)
