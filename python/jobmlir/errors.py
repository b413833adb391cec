"""The exceptions that this package raises."""

from jobmlir._src import names as _names
from jobmlir._src.errors import AnnotationError as AnnotationError
from jobmlir._src.errors import ArgumentError as ArgumentError
from jobmlir._src.errors import ArgumentTypeError as ArgumentTypeError
from jobmlir._src.errors import BlobValueError as BlobValueError
from jobmlir._src.errors import CheckpointDataError as CheckpointDataError
from jobmlir._src.errors import CheckpointError as CheckpointError
from jobmlir._src.errors import CheckpointExistsError as CheckpointExistsError
from jobmlir._src.errors import CheckpointIOError as CheckpointIOError
from jobmlir._src.errors import CheckpointNotFoundError as CheckpointNotFoundError
from jobmlir._src.errors import CompileError as CompileError
from jobmlir._src.errors import ConfigError as ConfigError
from jobmlir._src.errors import DataFormatError as DataFormatError
from jobmlir._src.errors import DataNotFoundError as DataNotFoundError
from jobmlir._src.errors import ExportError as ExportError
from jobmlir._src.errors import JobBuildAndInferError as JobBuildAndInferError
from jobmlir._src.errors import JobDefinitionError as JobDefinitionError
from jobmlir._src.errors import JobMLIRError as JobMLIRError
from jobmlir._src.errors import JobRuntimeError as JobRuntimeError
from jobmlir._src.errors import LossBlobNotFoundError as LossBlobNotFoundError
from jobmlir._src.errors import NumericsError as NumericsError
from jobmlir._src.errors import OpNameExistError as OpNameExistError
from jobmlir._src.errors import OutsideJobError as OutsideJobError
from jobmlir._src.errors import SessionStateError as SessionStateError
from jobmlir._src.errors import SummaryError as SummaryError
from jobmlir._src.errors import TraceError as TraceError
from jobmlir._src.errors import TrainConfError as TrainConfError
from jobmlir._src.errors import UnknownImportError as UnknownImportError
from jobmlir._src.errors import UnknownNameError as UnknownNameError
from jobmlir._src.errors import UnsupportedError as UnsupportedError

_names.report_unknown(__name__)
