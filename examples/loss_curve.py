"""The pictures that the training scripts beside this file draw."""

import numpy as np


def _pyplot():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def draw(losses, title, path):
    """The loss of each step and its moving mean, as a PNG file. `losses` is a list, or
    a dict of lists by name."""
    pyplot = _pyplot()
    named = losses if isinstance(losses, dict) else {"": losses}
    pyplot.figure(figsize=(8, 4.5))
    for name, values in named.items():
        window = min(20, len(values))
        smooth = np.convolve(values, np.ones(window) / window, mode="valid")
        prefix = f"{name}, " if name else ""
        pyplot.plot(values, color="lightgray", label="" if name else "each step")
        pyplot.plot(
            range(window - 1, len(values)),
            smooth,
            label=f"{prefix}mean of {window} steps",
        )
    pyplot.xlabel("step")
    pyplot.ylabel("loss")
    pyplot.title(title)
    pyplot.legend()
    pyplot.tight_layout()
    pyplot.savefig(path, dpi=120)


def draw_images(images, columns, path):
    """Images of (count, 1, height, width) with values from 0 to 1, as a PNG file with
    `columns` in a row."""
    height, width = images.shape[2:]
    grid = images.reshape(-1, columns, height, width).transpose(0, 2, 1, 3)
    _pyplot().imsave(
        path, grid.reshape(-1, columns * width), cmap="gray", vmin=0, vmax=1
    )
