"""Random numbers inside of jobs."""

from jobmlir._src import names as _names
from jobmlir._src.random_ops import CoinFlip as CoinFlip
from jobmlir._src.random_ops import bernoulli as bernoulli
from jobmlir._src.random_ops import coin_flip as coin_flip
from jobmlir._src.random_ops import gen_seed as gen_seed
from jobmlir._src.random_ops import (
    generate_random_batch_permutation_indices as generate_random_batch_permutation_indices,
)
from jobmlir._src.random_ops import normal as normal
from jobmlir._src.random_ops import shuffle as shuffle
from jobmlir._src.random_ops import uniform as uniform

_names.report_unknown(__name__)
