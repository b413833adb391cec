"""A model of the benchmark as an artifact, run by jobmlir_runtime alone: MODEL
THREADS OPTIONS.

OPTIONS is JSON: `artifact`, a file with the job `train`, `driver`, and `shape`, the
batch and the shape of an input.
"""

import json
import sys

import jobmlir_runtime

import worker


def main():
    model, threads = sys.argv[1], int(sys.argv[2])
    options = json.loads(sys.argv[3])
    worker.use_shape(model, options)
    data = worker.batches(model)

    def make_step():
        session = jobmlir_runtime.load(
            options["artifact"], threads=threads, driver=options["driver"]
        )
        session.init(1)
        return worker.training(
            data,
            lambda inputs, labels: float(session.run("train", inputs, labels).mean()),
        )

    worker.serve({"version": f"JobMLIR {jobmlir_runtime.__version__}"}, make_step)


if __name__ == "__main__":
    main()
