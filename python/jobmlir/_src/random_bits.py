"""Random numbers of the host that depend on a seed, a name and a position only, so
there is no state to save."""

import zlib

import numpy


class Draws:
    """A family of streams of random numbers, one for each position. The bits of Philox
    are the same in every numpy, which numpy does not promise of its distributions."""

    def __init__(self, seed, *names):
        text = "/".join(map(str, names))
        self._key = [seed % 2**64, zlib.crc32(text.encode())]

    def at(self, *position):
        """The stream of a position of at most three ints."""
        counter = [0, *position, *(0,) * (3 - len(position))]
        return _Stream(numpy.random.Philox(key=self._key, counter=counter))


class _Stream:
    def __init__(self, bits):
        self._bits = bits

    def uniform(self, low=0.0, high=1.0):
        """A float in [low, high)."""
        return low + (high - low) * (int(self._bits.random_raw()) >> 11) * 2.0**-53

    def below(self, limit, count):
        """An array of ints in [0, limit)."""
        # The high half of a product: unbiased to 2^-32 and the same everywhere.
        high = self._bits.random_raw(count) >> numpy.uint64(32)
        return (high * numpy.uint64(limit)) >> numpy.uint64(32)

    def permutation(self, count):
        """A random order of `count` things. Equal keys keep their order."""
        return numpy.argsort(self._bits.random_raw(count), kind="stable")
