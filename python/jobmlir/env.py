"""The environment of the process."""

from jobmlir._src import names as _names
from jobmlir._src.environment import ctrl_port as ctrl_port
from jobmlir._src.environment import data_port as data_port
from jobmlir._src.environment import grpc_use_no_signal as grpc_use_no_signal
from jobmlir._src.environment import init as init
from jobmlir._src.environment import log_dir as log_dir
from jobmlir._src.environment import logbuflevel as logbuflevel
from jobmlir._src.environment import logtostderr as logtostderr
from jobmlir._src.environment import machine as machine
from jobmlir._src.resources import current_resource as current_resource

_names.report_unknown(__name__)
