"""The environment of the process."""

from jobmlir._src.environment import init as init
