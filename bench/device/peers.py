"""Rates of PyTorch and CuPy on a GPU, as lines of JSON in the form of device_bench.cu and by its method: events around one
call, 256 MiB written before it, the median of several runs.

    peers.py [type...]        float double float16 bfloat16 int32 int64 int8 uint8; all by default
"""

import json
import sys

import torch

try:
    import cupy
except ImportError:
    cupy = None

TYPES = {
    "float": torch.float32,
    "double": torch.float64,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "int32": torch.int32,
    "int64": torch.int64,
    "int8": torch.int8,
    "uint8": torch.uint8,
}
MOST_BYTES = 1 << 32


def pytorch_folds(x):
    half = x.numel() // 2
    folds = {
        "sum": lambda: torch.sum(x),
        "min": lambda: torch.min(x),
        "argmin": lambda: torch.argmin(x),
        "minmax": lambda: torch.aminmax(x),
    }
    if x.is_floating_point():
        folds |= {
            "mean and variance": lambda: torch.var_mean(x, correction=0),
            "norm_l2": lambda: torch.linalg.vector_norm(x),
            "logsumexp": lambda: torch.logsumexp(x, 0),
        }
        if half < 1 << 31:
            folds["dot"] = lambda: torch.dot(x[:half], x[half:])
    return folds


def cupy_folds(x):
    if cupy is None or x.dtype == torch.bfloat16:
        return {}
    y = cupy.from_dlpack(x)
    folds = {"sum": lambda: cupy.sum(y), "min": lambda: cupy.min(y), "argmin": lambda: cupy.argmin(y)}
    if x.is_floating_point():
        folds |= {"norm_l2": lambda: cupy.linalg.norm(y), "dot": lambda: cupy.dot(y[: y.size // 2], y[y.size // 2 :])}
    return folds


class Timer:
    def __init__(self):
        self.flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")

    def cold(self, runs, call):
        """Microseconds: the median and the least."""
        call()
        times = []
        for _ in range(runs):
            self.flush.zero_()
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            call()
            end.record()
            end.synchronize()
            times.append(1e3 * begin.elapsed_time(end))
        times.sort()
        return times[len(times) // 2], times[0]


def main():
    timer = Timer()
    for name in sys.argv[1:] or TYPES:
        dtype = TYPES[name]
        count = MOST_BYTES // dtype.itemsize
        if dtype.is_floating_point:
            x = torch.empty(count, dtype=dtype, device="cuda").normal_()
        else:
            limits = torch.iinfo(dtype)
            x = torch.empty(count, dtype=dtype, device="cuda").random_(limits.min, limits.max)
        size = 1024
        while size <= MOST_BYTES:
            part = x[: size // dtype.itemsize]
            for who, folds in (("PyTorch", pytorch_folds(part)), ("CuPy", cupy_folds(part))):
                for fold, call in folds.items():
                    try:
                        median, least = timer.cold(7 if size > 1 << 28 else 21, call)
                    except Exception as error:  # a library that lacks a fold for a type says so in its own way
                        print(f"{who} {fold} {name}: {str(error).splitlines()[0]}", file=sys.stderr)
                        continue
                    row = {
                        "who": who,
                        "fold": fold,
                        "type": name,
                        "data": "normal" if dtype.is_floating_point else "uniform",
                        "items": part.numel(),
                        "bytes": size,
                        "us": round(median, 3),
                        "least_us": round(least, 3),
                        "TB_per_s": round(1e-6 * size / median, 4),
                        "answer": "not checked",
                    }
                    print(json.dumps(row), flush=True)
            size *= 4
        del x


if __name__ == "__main__":
    main()
