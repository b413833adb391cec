"""python -m jobmlir"""

import sys

from jobmlir._src.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
