"""MNIST, or Fashion-MNIST, in batches: what the scripts beside this file use."""

try:
    import oneflow as flow
except ImportError:
    import jobmlir as flow


def load_data(train_batch_size, test_batch_size=100, data_format="NCHW"):
    """((train images, train labels), (test images, test labels)) from the IDX
    files in this folder or where Debian's dataset-fashion-mnist has them."""
    return flow.data.load_mnist(train_batch_size, test_batch_size, data_format)
