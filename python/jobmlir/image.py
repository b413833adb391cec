"""Images: decoded, cropped and resized by the host, normalized by the job."""

from jobmlir._src import names as _names
from jobmlir._src.image_normalize import CropMirrorNormalize as CropMirrorNormalize
from jobmlir._src.image_ops import Resize as Resize
from jobmlir._src.image_ops import decode as decode
from jobmlir._src.image_ops import random_crop as random_crop
from jobmlir._src.image_ops import target_resize as target_resize
from jobmlir._src.image_pixels import batch_align as batch_align
from jobmlir._src.image_pixels import flip as flip
from jobmlir._src.image_pixels import normalize as normalize

# The names of 0.3.
crop_mirror_normalize = CropMirrorNormalize
resize = Resize

_names.report_unknown(__name__)
