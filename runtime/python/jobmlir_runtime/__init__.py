"""Runs artifacts of JobMLIR: compiled training and prediction steps.

import jobmlir_runtime
model = jobmlir_runtime.load("model.so")
model.init(seed=1)
loss = model.run("train", images=images, labels=labels)

Needs only numpy, neither the compiler nor the package jobmlir.
"""

from jobmlir_runtime._runtime import StatusError as Error
from jobmlir_runtime._runtime import __version__ as __version__
from jobmlir_runtime._session import Call as Call
from jobmlir_runtime._session import Session as Session
from jobmlir_runtime._session import create_communicator_id as create_communicator_id
from jobmlir_runtime._session import load as load

__all__ = ["Call", "Error", "Session", "create_communicator_id", "load"]
