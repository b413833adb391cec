"""Data sets."""

from jobmlir._src import names as _names
from jobmlir._src.batches import Batches as Batches
from jobmlir._src.data import load_mnist as load_mnist
from jobmlir._src.data_position import seek as seek
from jobmlir._src.decode_ofrecord import BlobConf as BlobConf
from jobmlir._src.decode_ofrecord import ImageCodec as ImageCodec
from jobmlir._src.decode_ofrecord import ImagePreprocessor as ImagePreprocessor
from jobmlir._src.decode_ofrecord import (
    ImageResizePreprocessor as ImageResizePreprocessor,
)
from jobmlir._src.decode_ofrecord import (
    NormByChannelPreprocessor as NormByChannelPreprocessor,
)
from jobmlir._src.decode_ofrecord import RawCodec as RawCodec
from jobmlir._src.decode_ofrecord import decode_ofrecord as decode_ofrecord
from jobmlir._src.image_ops import (
    ImageDecoderRandomCropResize as ImageDecoderRandomCropResize,
)
from jobmlir._src.image_ops import OFRecordImageDecoder as OFRecordImageDecoder
from jobmlir._src.image_ops import (
    OFRecordImageDecoderRandomCrop as OFRecordImageDecoderRandomCrop,
)
from jobmlir._src.image_ops import (
    ofrecord_image_classification_reader as ofrecord_image_classification_reader,
)
from jobmlir._src.ofrecord import write_ofrecord as write_ofrecord
from jobmlir._src.readers import OFRecordBytesDecoder as OFRecordBytesDecoder
from jobmlir._src.readers import OFRecordRawDecoder as OFRecordRawDecoder
from jobmlir._src.readers import ofrecord_reader as ofrecord_reader
from jobmlir._src.synthetic import decode_random as decode_random

# The names of 0.3.
image_decoder_random_crop_resize = ImageDecoderRandomCropResize
ofrecord_bytes_decoder = OFRecordBytesDecoder
ofrecord_image_decoder = OFRecordImageDecoder
ofrecord_image_decoder_random_crop = OFRecordImageDecoderRandomCrop
ofrecord_raw_decoder = OFRecordRawDecoder

_names.report_unknown(__name__)
