"""Writes items and what NumPy makes of them, for host_numpy to compare: numpy_cases.py FILE.

A case is a line `type count name results`, the items as raw bytes, and one line a result: `fold kind value [tolerance]`.
Kinds: `is` (equal, or both NaN), `near` (within the tolerance), `error` (an error of that name).
"""

import math
import sys

import numpy as np

# Where warpfold differs from NumPy, and wants to. Every use below names its entry.
WANTED = {
    "integer overflow": "NumPy wraps silently; warpfold reports an overflow.",
    "half precision": "NumPy returns float16; warpfold returns float32, so NumPy is asked for dtype=float32.",
    "one rounding": "NumPy rounds at every addition; warpfold once. Compared within NumPy's error.",
    "overflow on the way": "NumPy's float32 partial sums and squares overflow where the result does not; NumPy is asked for float64.",
    "sign of zero": "Which of -0 and +0 NumPy's min and max return depends on the machine; warpfold's min is -0, max +0.",
    "empty extremes of skipped": "NumPy warns and returns NaN for nanmin of only NaN; warpfold reports an empty input.",
    "unsigned norms": "NumPy's abs(-128) of int8 is -128; warpfold's norms are exact.",
}
used = set()


def wanted(name):
    assert name in WANTED
    used.add(name)


SIZES = (0, 1, 2, 3, 17, 255, 1001, 70_001)
INTEGERS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")


def data_sets(dtype, n, rng):
    if dtype == "bool":
        yield "random", rng.random(n) < 0.5
        yield "all", np.ones(n, bool)
        yield "none", np.zeros(n, bool)
        return
    if dtype in INTEGERS:
        info = np.iinfo(dtype)
        yield "full range", rng.integers(info.min, info.max, n, dtype, endpoint=True)
        yield "small", rng.integers(0, 3, n).astype(dtype)
        yield "lowest", np.full(n, info.min, dtype)
        yield "highest", np.full(n, info.max, dtype)
        return
    normal = rng.standard_normal(n).astype(dtype)
    yield "normal", normal
    yield "integers", rng.integers(-50, 50, n).astype(dtype)
    yield "large", (rng.standard_normal(n) * float(np.finfo(dtype).max) / 100).astype(dtype)
    yield "zeros", np.where(rng.random(n) < 0.5, -0.0, 0.0).astype(dtype)
    for name, specials in (("nan", [np.nan]), ("inf", [np.inf]), ("minus inf", [-np.inf]), ("both infs", [np.inf, -np.inf]),
                           ("everything", [np.nan, np.inf, -np.inf, -0.0])):
        x = normal.copy()
        if n:
            x[rng.integers(0, n, max(1, n // 50))] = rng.choice(specials, max(1, n // 50))
        yield name, x
    yield "only nan", np.full(n, np.nan, dtype)
    yield "only inf", np.full(n, np.inf, dtype)


class Results:
    def __init__(self):
        self.lines = []

    def exactly(self, fold, value):
        if isinstance(value, (bool, np.bool_)):
            value = int(value)
        text = str(int(value)) if isinstance(value, (int, np.integer)) else float(value).hex()
        self.lines.append(f"{fold} is {text}")

    def near(self, fold, value, tolerance):
        if not math.isfinite(value):
            return self.exactly(fold, float(value))
        self.lines.append(f"{fold} near {float(value).hex()} {float(tolerance).hex()}")

    def error(self, fold, name):
        self.lines.append(f"{fold} error {name}")


def integer(results, fold, value, signed):
    """An exact Python integer, where it fits 64 bits."""
    low, high = (-(2**63), 2**63 - 1) if signed else (0, 2**64 - 1)
    if low <= value <= high:
        results.exactly(fold, value)
    else:
        wanted("integer overflow")
        results.error(fold, "overflow")


def extremes(results, x, n):
    if n == 0:
        for f in (np.min, np.max, np.argmin, np.argmax):
            try:
                f(x)
                raise AssertionError("NumPy used to refuse")
            except ValueError:
                pass
        for fold in ("min", "max", "argmin", "argmax"):
            results.error(fold, "empty")
        return
    for fold, f in (("min", np.min), ("max", np.max)):
        value = f(x)
        if x.dtype.kind == "f" and value == 0:
            wanted("sign of zero")
            zeros = x[x == 0]
            negative = np.signbit(zeros).any() if fold == "min" else np.signbit(zeros).all()
            value = -0.0 if negative else 0.0
        results.exactly(fold, value)
    results.exactly("argmin", np.argmin(x))
    results.exactly("argmax", np.argmax(x))


def integer_case(results, x, n):
    signed = x.dtype.kind == "i"
    exact = x.tolist()
    total = sum(int(v) for v in exact)
    if x.dtype.itemsize < 8:
        assert int(np.sum(x)) == total
    integer(results, "sum", total, signed)
    product = math.prod(int(v) for v in exact) if n <= 17 or 0 in exact else (2**70 if any(abs(int(v)) > 1 for v in exact) else 1)
    if n > 17 and 0 not in exact and product == 1:
        product = math.prod(int(v) for v in exact)
    integer(results, "product", product, signed)
    integer(results, "dot", sum(int(v) * int(v) for v in exact), signed)
    wanted("unsigned norms")
    integer(results, "norm_l1", sum(abs(int(v)) for v in exact), False)
    results.exactly("norm_linf", max((abs(int(v)) for v in exact), default=0))
    wide = x.astype(np.float64)
    wanted("one rounding")
    scale = np.sum(np.abs(wide)) + 1
    eps = 2.0**-53 * (32 + math.log2(n + 1))
    if n:
        results.near("mean", np.mean(x), eps * scale / n)
        results.near("variance", np.var(x), 64 * eps * (np.mean(wide**2) + 1))
    else:
        results.exactly("mean", np.nan)
        results.exactly("variance", np.nan)
    results.near("norm_l2", np.linalg.norm(wide), eps * scale)


def float_case(results, x, n):
    half = x.dtype == np.float16
    result = np.float32 if half else x.dtype.type
    if half:
        wanted("half precision")
    wanted("one rounding")
    finite = x[np.isfinite(x)].astype(np.longdouble)
    eps = float(np.finfo(result).eps) * (8 + math.log2(n + 1))
    wanted("overflow on the way")
    kind = np.longdouble if result is np.float64 else np.float64
    wide = x.astype(kind)
    magnitude = float(np.sum(np.abs(finite))) + 1e-300

    def rounded(value):
        with np.errstate(all="ignore"):
            return float(result(value))

    results.near("sum", rounded(np.sum(wide)), eps * magnitude)
    results.near("skip_nan sum", rounded(np.nansum(wide)), eps * magnitude)
    results.near("norm_l1", rounded(np.sum(np.abs(wide))), eps * magnitude)
    squares = float(np.sum(finite * finite)) if result is not np.float64 else np.sum(finite * finite)
    results.near("norm_l2", rounded(np.sqrt(np.sum(wide * wide))), 4 * eps * float(np.sqrt(squares)) + 1e-300)
    dot = rounded(np.sum(wide * wide))
    results.near("dot", dot, 4 * eps * abs(dot) if math.isfinite(dot) else 0)
    results.exactly("norm_linf", float(np.max(np.abs(x), initial=0)))
    if n == 0:
        for fold in ("mean", "variance", "skip_nan mean"):
            results.exactly(fold, np.nan)
    else:
        results.near("mean", rounded(np.mean(wide)), eps * magnitude / n)
        variance = rounded(np.var(wide))
        if n > 1 or math.isnan(variance):
            results.near("variance", variance, 64 * eps * abs(variance) if math.isfinite(variance) else 0)
        else:
            results.exactly("variance", variance)
        kept = int(np.count_nonzero(~np.isnan(x)))
        if kept:
            results.near("skip_nan mean", rounded(np.nanmean(wide)), eps * magnitude / kept)
    if n <= 17:
        product = rounded(np.prod(x.astype(np.longdouble)))
        results.near("product", product, 32 * eps * abs(product) + float(np.finfo(result).tiny) * 2**-20 if math.isfinite(product) else 0)
    results.exactly("count", n)
    results.exactly("skip_nan count", int(np.count_nonzero(~np.isnan(x))))
    if n == 0 or np.isnan(x).all():
        wanted("empty extremes of skipped")
        for fold in ("skip_nan min", "skip_nan argmax"):
            results.error(fold, "empty")
    else:
        if np.nanmin(x) != 0:
            results.exactly("skip_nan min", np.nanmin(x))
        results.exactly("skip_nan argmax", np.nanargmax(x))


def main(path):
    rng = np.random.default_rng(2013)
    with open(path, "wb") as out, np.errstate(all="ignore"):
        for dtype in INTEGERS + FLOATS:
            for n in SIZES:
                for name, x in data_sets(dtype, n, rng):
                    results = Results()
                    extremes(results, x, n)
                    results.exactly("any", bool(np.any(x)))
                    results.exactly("all", bool(np.all(x)))
                    (float_case if dtype in FLOATS else integer_case)(results, x, n)
                    out.write(f"{dtype} {n} {name.replace(' ', '_')} {len(results.lines)}\n".encode())
                    out.write(x.tobytes())
                    out.write("".join(line.replace("skip_nan ", "skip_nan_") + "\n" for line in results.lines).encode())
    assert used == set(WANTED), f"not met: {set(WANTED) - used}"


if __name__ == "__main__":
    main(sys.argv[1])
