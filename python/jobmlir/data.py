"""Data sets."""

from jobmlir._src import names as _names
from jobmlir._src.batches import Batches as Batches
from jobmlir._src.data import load_mnist as load_mnist
from jobmlir._src.data_position import seek as seek
from jobmlir._src.ofrecord import write_ofrecord as write_ofrecord
from jobmlir._src.readers import OFRecordBytesDecoder as OFRecordBytesDecoder
from jobmlir._src.readers import OFRecordRawDecoder as OFRecordRawDecoder
from jobmlir._src.readers import ofrecord_reader as ofrecord_reader

__getattr__ = _names.getter(__name__)
