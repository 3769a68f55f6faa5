"""Rates of NumPy's reductions and of math.fsum, measured after reading the same memory plainly, as JSON:
{"type/size/numpy fold": {"rate": bytes a second, "read_limit": the same of reading}}. bench/peers.py READ_LIMIT_LIBRARY"""

import array
import ctypes
import json
import math
import sys
import time

import numpy

SIZES = {"1MiB": 1 << 20, "64MiB": 1 << 26, "1GiB": 1 << 30}
TYPES = ["float32", "float64", "int32", "int64", "uint8"]


def items(dtype, count):
    """The same kind of random items as host_bench makes."""
    random = numpy.random.default_rng(2026)
    if dtype.startswith("float"):
        return random.uniform(-8, 8, count).astype(dtype)
    return random.integers(-(2**31), 2**31, count, dtype=numpy.int64).astype(dtype)


def logsumexp(x):
    most = x.max()
    return most + numpy.log(numpy.exp(x - most).sum())


def calls(x):
    """Name of our fold, and NumPy's counterpart."""
    half = len(x) // 2
    yield "sum", lambda: x.sum()
    yield "mean", lambda: x.mean()
    yield "variance", lambda: x.var()
    yield "standard_deviation", lambda: x.std()
    yield "mean and variance", lambda: (x.mean(), x.var())
    yield "norm_l1", lambda: numpy.linalg.norm(x, 1)
    yield "norm_l2", lambda: numpy.linalg.norm(x)
    yield "norm_linf", lambda: numpy.linalg.norm(x, numpy.inf)
    yield "min", lambda: x.min()
    yield "max", lambda: x.max()
    yield "minmax", lambda: (x.min(), x.max())
    yield "argmin", lambda: x.argmin()
    yield "argmax", lambda: x.argmax()
    yield "argminmax", lambda: (x.argmin(), x.argmax())
    yield "any", lambda: x.any()
    yield "all", lambda: x.all()
    yield "stats", lambda: (x.sum(), x.mean(), x.std(), x.min(), x.argmin(), x.max(), x.argmax(), numpy.linalg.norm(x))
    if x.dtype.kind == "f":
        yield "count, skip_nan", lambda: numpy.count_nonzero(~numpy.isnan(x))
        yield "product", lambda: x.prod()
        yield "logsumexp", lambda: logsumexp(x)
        yield "dot", lambda: x[:half].dot(x[half:])
        yield "squared_distance", lambda: ((x[:half] - x[half:]) ** 2).sum()


def median(values):
    return sorted(values)[len(values) // 2]


def seconds(call):
    before = time.perf_counter()
    call()
    return time.perf_counter() - before


def repeated(call, budget=0.125):
    """Median seconds of at least three calls."""
    times = []
    while len(times) < 3 or (sum(times) < budget and len(times) < 500):
        times.append(seconds(call))
    return median(times)


def beside_reading(call, x, read_all):
    """Rates of calls, which read the bytes of x, and of reads just before them."""
    # The threads of a BLAS spin for a while after a call: a read that followed at once had only half of the machine.
    time.sleep(0.1)
    read = repeated(lambda: read_all(ctypes.c_void_p(x.ctypes.data), ctypes.c_size_t(x.nbytes)))
    return {"rate": x.nbytes / repeated(call), "read_limit": x.nbytes / read}


def main():
    read_all = ctypes.CDLL(sys.argv[1]).read_all
    rates = {}

    def add(name, x, call):
        rates[name] = beside_reading(call, x, read_all)
        print(f"{name:45} {rates[name]['rate'] / 1e9:8.2f} GB/s", file=sys.stderr)

    numpy.seterr(all="ignore")
    for dtype in TYPES:
        everything = items(dtype, SIZES["1GiB"] // numpy.dtype(dtype).itemsize)
        for size_name, size in SIZES.items():
            x = everything[: size // everything.itemsize]
            for fold, call in calls(x):
                if size > 1 << 26 and fold in ("norm_l1", "norm_l2", "norm_linf") and x.dtype.kind != "f":
                    continue  # NumPy converts to float64 first: 8 GiB and more
                add(f"{dtype}/{size_name}/numpy {fold}", x, call)
            if dtype == "float64" and size <= 1 << 26:
                plain = array.array("d", x.tobytes())
                add(f"{dtype}/{size_name}/math.fsum", x, lambda: math.fsum(plain))
    json.dump(rates, sys.stdout)


main()
