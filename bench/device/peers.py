"""Rates of PyTorch and CuPy on a GPU, as lines of JSON in the form of device_bench.cu and by its method: events around
one call, 256 MiB written before it, the median, the mean and the quartiles of several runs. Every answer is checked (references.py).

    peers.py [type...]        float double float16 bfloat16 int32 int64 int8 uint8; all by default
"""

import json
import statistics
import sys
import time

import torch

import references

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
FEW = 1 << 20  # up to so many items the sum is also timed to the host


def random(x):
    """Fills it with what most folds are measured on."""
    if x.is_floating_point():
        return x.normal_()
    limits = torch.iinfo(x.dtype)
    return x.random_(limits.min, limits.max)


def near_one(x):
    """Fills it with items whose product every type holds: integers with 1 and -1."""
    if x.is_floating_point():
        return x.normal_().mul_(1e-4).exp_()
    return x.fill_(1) if x.dtype == torch.uint8 else x.random_(0, 2).mul_(2).sub_(1)


def pytorch_folds(x):
    half = x.numel() // 2
    folds = {
        "sum": lambda: torch.sum(x),
        "min": lambda: torch.min(x),
        "max": lambda: torch.max(x),
        "argmin": lambda: torch.argmin(x),
        "argmax": lambda: torch.argmax(x),
        "minmax": lambda: torch.aminmax(x),
        "product": lambda: torch.prod(x),
        "any": lambda: torch.any(x),
    }
    if x.is_floating_point():
        folds |= {
            "mean and variance": lambda: torch.var_mean(x, correction=0)[::-1],
            "norm_l1": lambda: torch.linalg.vector_norm(x, 1),
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
    half = x.numel() // 2
    folds = {
        "sum": lambda: cupy.sum(y),
        "min": lambda: cupy.min(y),
        "max": lambda: cupy.max(y),
        "argmin": lambda: cupy.argmin(y),
        "argmax": lambda: cupy.argmax(y),
        "product": lambda: cupy.prod(y),
        "any": lambda: cupy.any(y),
    }
    if x.is_floating_point():
        folds |= {
            "norm_l1": lambda: cupy.linalg.norm(y, 1),
            "norm_l2": lambda: cupy.linalg.norm(y),
            "dot": lambda: cupy.dot(y[:half], y[half:]),
        }
    return folds


def mean(times):
    """Of sorted ones, but a tenth at either end."""
    tenth = len(times) // 10
    return statistics.fmean(times[tenth : len(times) - tenth])


class Timer:
    """Each method yields the microseconds of a call in ascending order."""

    def __init__(self):
        self.flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")

    def cold(self, runs, call):
        call()
        return sorted(self.between_events(call, 1) for _ in self.flushed(runs))

    def back_to_back(self, calls, call):
        call()
        return sorted(self.between_events(call, calls) for _ in range(5))

    def cold_to_host(self, runs, call):
        call().item()
        times = []
        for _ in self.flushed(runs):
            torch.cuda.synchronize()
            begin = time.perf_counter()
            call().item()
            times.append(1e6 * (time.perf_counter() - begin))
        return sorted(times)

    def flushed(self, runs):
        for _ in range(runs):
            self.flush.zero_()
            yield

    def between_events(self, call, calls):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        end.synchronize()
        return 1e3 * begin.elapsed_time(end) / calls


class Bench:
    def __init__(self, name):
        self.name = name
        self.timer = Timer()
        dtype = TYPES[name]
        self.x = torch.empty(max(1 << 30, (1 << 32) // dtype.itemsize), dtype=dtype, device="cuda")

    def run(self):
        usual = "normal" if self.x.is_floating_point() else "uniform"
        random(self.x)
        self.measure(usual, lambda fold: fold not in ("product", "any"))
        near_one(self.x)
        self.measure("near 1", lambda fold: fold == "product")
        self.x.zero_()
        self.measure("zeros", lambda fold: fold == "any")

    def measure(self, data, wanted):
        """2^8 … 2^30 items, and 4 GiB of them."""
        sizes = [1 << power for power in range(8, 31)]
        for n in sizes + [self.x.numel()] * (self.x.numel() > sizes[-1]):
            part = self.x[:n]
            right = references.Answers(part)
            for who, folds in (("PyTorch", pytorch_folds(part)), ("CuPy", cupy_folds(part))):
                for fold, call in folds.items():
                    if not wanted(fold):
                        continue
                    try:
                        call()
                    except Exception as error:  # a library that lacks a fold for a type says so in its own way
                        print(f"{who} {fold} {self.name}: {str(error).splitlines()[0]}", file=sys.stderr)
                        continue
                    self.measure_fold(who, fold, data, part, call, right)

    def measure_fold(self, who, fold, data, part, call, right):
        n, size = part.numel(), part.numel() * part.itemsize
        runs = 7 if size > 1 << 28 else 21
        measured = {fold: self.timer.cold(runs, call)}
        if who == "PyTorch" and fold in ("sum", "min") and n <= 1 << 28 and n.bit_length() % 4 == 1:
            measured[f"{fold}, back to back"] = self.timer.back_to_back(20 if size > 1 << 26 else 200, call)
        if fold == "sum" and n <= FEW and self.name in ("float", "double"):
            measured["sum, value on the host"] = self.timer.cold_to_host(runs, call)
        answer = right.judge(fold, call())
        for title, times in measured.items():
            row = {
                "who": who,
                "fold": title,
                "type": self.name,
                "data": data,
                "items": n,
                "bytes": size,
                "us": round(times[len(times) // 2], 3),
                "mean_us": round(mean(times), 3),
                "least_us": round(times[0], 3),
                "lower_us": round(times[len(times) // 4], 3),
                "upper_us": round(times[-1 - len(times) // 4], 3),
                "TB_per_s": round(1e-6 * size / times[len(times) // 2], 4),
                **answer,
            }
            print(json.dumps(row), flush=True)


def main():
    for name in sys.argv[1:] or TYPES:
        Bench(name).run()


if __name__ == "__main__":
    main()
