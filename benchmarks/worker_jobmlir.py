"""A model of the benchmark on JobMLIR: MODEL THREADS [OPTIONS].

OPTIONS is JSON: `precision` ("f32" or "bf16") and `features`, changes to those of
the processor ("-avx512bf16").
"""

import json
import sys

import jobmlir as flow

import models_jobmlir
import worker


def main():
    model, threads = sys.argv[1], int(sys.argv[2])
    options = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}
    flow.config.compute_thread_pool_size(threads)
    flow.config.compiler_features(options.get("features", ""))
    config = flow.function_config()
    config.enable_auto_mixed_precision(options.get("precision") == "bf16")
    data = worker.batches(model)

    def make_step():
        train = models_jobmlir.define(model, config)
        return worker.training(
            data, lambda inputs, labels: float(train(inputs, labels).mean())
        )

    worker.serve({"version": f"JobMLIR {flow.__version__}"}, make_step)


if __name__ == "__main__":
    main()
