"""A model of the benchmark on JobMLIR: MODEL THREADS."""

import sys

import jobmlir as flow

import models_jobmlir
import worker


def main():
    model, threads = sys.argv[1], int(sys.argv[2])
    flow.config.compute_thread_pool_size(threads)
    data = worker.batches(model)

    def make_step():
        train = models_jobmlir.define(model)
        return worker.training(
            data, lambda inputs, labels: float(train(inputs, labels).mean())
        )

    worker.serve({"version": f"JobMLIR {flow.__version__}"}, make_step)


if __name__ == "__main__":
    main()
