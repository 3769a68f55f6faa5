"""Seconds of every fold, of NumPy's counterpart, of math.fsum and of plain reads of the same memory, measured in turn, so
that minutes in which the machine is slow are alike for all of them. bench/host_bench.py LIBRARY OUT [REGEX] writes the rows
whose name has the regular expression: {"type/size/fold": {"bytes": read by a call, "warpfold": median seconds of each turn,
"read from one place": … and of each other plain read, "numpy": …, "math.fsum": …}}"""

import array
import ctypes
import itertools
import json
import math
import re
import statistics
import sys
import time

import numpy

SIZES = {"1MiB": 1 << 20, "64MiB": 1 << 26, "1GiB": 1 << 30}
TYPES = ["float32", "float64", "int32", "int64", "uint8"]


def random_items(dtype, count):
    """Floats of ±8 with a full significand, integers of at most 32 bits, so that no sum overflows."""
    random = numpy.random.default_rng(2026)
    if dtype.startswith("float"):
        return (random.integers(-(2**63), 2**63, count) * 2.0**-60).astype(dtype)
    return random.integers(-(2**31), 2**31, count).astype(dtype)


def logsumexp(x):
    most = x.max()
    return most + numpy.log(numpy.exp(x - most).sum())


def numpy_calls(x):
    """NumPy's counterparts, by the names of our folds."""
    first, second = x[: len(x) // 2], x[len(x) // 2 :]
    calls = {
        "sum": x.sum,
        "mean": x.mean,
        "variance": x.var,
        "standard_deviation": x.std,
        "mean and variance": lambda: (x.mean(), x.var()),
        "norm_l1": lambda: numpy.linalg.norm(x, 1),
        "norm_l2": lambda: numpy.linalg.norm(x),
        "norm_linf": lambda: numpy.linalg.norm(x, numpy.inf),
        "min": x.min,
        "max": x.max,
        "minmax": lambda: (x.min(), x.max()),
        "argmin": x.argmin,
        "argmax": x.argmax,
        "argminmax": lambda: (x.argmin(), x.argmax()),
        "any": x.any,
        "all": x.all,
        "stats": lambda: (x.sum(), x.mean(), x.std(), x.min(), x.argmin(), x.max(), x.argmax(), numpy.linalg.norm(x)),
        "count, skip_nan": lambda: numpy.count_nonzero(~numpy.isnan(x)),
        "product": x.prod,
        "logsumexp": lambda: logsumexp(x),
        "dot": lambda: first.dot(second),
        "squared_distance": lambda: ((first - second) ** 2).sum(),
    }
    if x.dtype.kind != "f" and x.nbytes > SIZES["64MiB"]:
        for norm in ("norm_l1", "norm_l2", "norm_linf"):
            del calls[norm]  # converts to float64 first: 8 GiB and more
    return calls


def seconds(call):
    before = time.perf_counter()
    call()
    return time.perf_counter() - before


def repeated(timed, least=0.01, most=0.05):
    """The median of what `timed` returns for at least 10 ms, and nine times, unless that takes 50 ms: a first call may have to
    wake the threads of a BLAS, which takes up to 8 ms."""
    times = []
    begin = time.perf_counter()
    while True:
        times.append(timed())
        passed = time.perf_counter() - begin
        if passed >= most or (passed >= least and len(times) >= 9):
            return statistics.median(times)


def settle():
    """Waits until no thread of this process runs: those of a BLAS spin for 0.15 s after a call."""
    while True:
        before = time.process_time()
        time.sleep(0.01)  # of threads that run on, a kernel may count the time every 4 ms only
        if time.process_time() - before < 0.001:
            return


def agree(times):
    """Whether half of the turns say within 5 % of each other how much faster each of the timed calls is than the first one."""
    first, *others = times.values()
    for other in others:
        low, middle, high = statistics.quantiles([b / a for a, b in zip(first, other)])
        if high - low > 0.05 * middle:
            return False
    return True


def in_turn(timed, budget=0.8, patience=2.5):
    """Seconds of each of the timed calls, which take turns: at least three times and for as long as the budget lasts; where
    turns disagree, for as long as patience does. Calls of more than half a second take three turns, on no budget."""
    times = {name: [] for name in timed}
    spent = 0
    for turn in itertools.count(1):
        for name in timed:
            if turn > 3 and times[name][0] > 0.5:
                continue
            settle()
            before = time.perf_counter()
            times[name].append(repeated(timed[name]))
            spent += time.perf_counter() - before if times[name][0] <= 0.5 else 0
        if turn >= 3 and spent >= budget and (spent >= patience or agree(times)):
            return times


def fsum_of(x):
    plain = array.array("d")
    plain.frombytes(memoryview(x).cast("B"))
    return lambda: math.fsum(plain)


def main(library_path, out, pattern=""):
    library = ctypes.CDLL(library_path)
    library.call_name.argtypes = [ctypes.c_size_t]
    library.call_name.restype = ctypes.c_char_p
    library.call_right.argtypes = library.call_seconds.argtypes = [ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t]
    library.call_right.restype = ctypes.c_bool
    library.call_seconds.restype = ctypes.c_double
    names = [name.decode() for name in itertools.takewhile(bool, map(library.call_name, itertools.count()))]
    numpy.seterr(all="ignore")
    rows = {}
    for dtype in TYPES:
        everything = random_items(dtype, SIZES["1GiB"] // numpy.dtype(dtype).itemsize)
        for size_name, size in SIZES.items():
            x = everything[: size // everything.itemsize]
            peers = numpy_calls(x)
            for index, name in enumerate(names):
                kind, _, fold = name.partition("/")
                row = f"{dtype}/{size_name}/{fold}"
                if kind != dtype or not re.search(pattern, row):
                    continue
                if not library.call_right(index, x.ctypes.data, min(size, 345680)):
                    raise SystemExit(f"{row}: wrong answer")
                ours = {name: i for i, name in enumerate(names) if name.startswith("read ")} | {"warpfold": index}
                timed = {
                    name: lambda call=call: library.call_seconds(call, x.ctypes.data, size) for name, call in ours.items()
                }
                if fold in peers:
                    timed["numpy"] = lambda: seconds(peers[fold])
                if dtype == "float64" and fold == "sum":
                    fsum = fsum_of(x)
                    timed["math.fsum"] = lambda: seconds(fsum)
                rows[row] = {"bytes": size} | in_turn(timed)
    with open(out, "w") as file:
        json.dump(rows, file)


main(*sys.argv[1:])
