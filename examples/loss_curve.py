"""The picture that the training scripts beside this file draw."""

import numpy as np


def draw(losses, title, path):
    """The loss of each step and its moving mean, as a PNG file."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    window = min(20, len(losses))
    smooth = np.convolve(losses, np.ones(window) / window, mode="valid")
    pyplot.figure(figsize=(8, 4.5))
    pyplot.plot(losses, color="lightgray", label="each step")
    pyplot.plot(range(window - 1, len(losses)), smooth, label=f"mean of {window} steps")
    pyplot.xlabel("step")
    pyplot.ylabel("loss")
    pyplot.title(title)
    pyplot.legend()
    pyplot.tight_layout()
    pyplot.savefig(path, dpi=120)
