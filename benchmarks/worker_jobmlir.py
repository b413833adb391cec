"""The benchmark's models on JobMLIR."""

import sys

import jobmlir as flow

import models_jobmlir
import worker


def main():
    model, threads = sys.argv[1], int(sys.argv[2])
    flow.config.compute_thread_pool_size(threads)

    def make_step():
        train = models_jobmlir.define(model)
        return lambda inputs, labels: float(train(inputs, labels).mean())

    worker.serve(model, {"version": flow.__version__}, make_step)


if __name__ == "__main__":
    main()
