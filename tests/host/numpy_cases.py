"""Writes items and what NumPy makes of them, for host_numpy to compare: numpy_cases.py FILE.

A case is a line `type count name results`, the items as raw bytes, and one line a result: `fold kind value...`. Kinds:
`is` (equal, zeros with their signs, or NaN), `near` (a value, and the tolerance), `error` (its name). Folds of pairs
are of the items and the same items backwards; `fold/ddof` divides by n - ddof; `skip_nan_fold` skips NaN.
"""

import math
import sys
import warnings
from types import SimpleNamespace

import numpy as np

# Where warpfold differs from NumPy, and wants to. Every use below names its entry.
WANTED = {
    "integer overflow": "NumPy wraps silently; warpfold reports an overflow.",
    "half precision": "NumPy returns float16; warpfold returns float32, so NumPy is asked for dtype=float32.",
    "bfloat16": "NumPy has none; it is asked for float32 of the same values.",
    "one rounding": "NumPy rounds at every addition; warpfold once. Compared within NumPy's error.",
    "overflow on the way": "NumPy's float32 partial sums, squares and products overflow where the result does not; "
                           "NumPy is asked for a wider type.",
    "sign of zero": "Which of -0 and +0 NumPy's min and max return depends on the machine; warpfold's min is -0, max "
                    "+0.",
    "sum of only -0": "NumPy begins sums with +0; warpfold's sum, mean and dot are -0 where every term is.",
    "empty extremes of skipped": "NumPy warns and returns NaN for nanmin of only NaN; warpfold reports an empty input.",
    "too few degrees of freedom": "NumPy divides by 0 where ddof >= n, which may give inf; warpfold's variance is NaN.",
    "unsigned norms": "NumPy's abs(-128) of int8 is -128; warpfold's norms are exact.",
}
used = set()


def wanted(name):
    assert name in WANTED
    used.add(name)


SIZES = (0, 1, 2, 3, 17, 255, 1001, 70_001)
INTEGERS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
DDOFS = (0, 1, 2)


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
    if dtype == "bfloat16":
        for name, x in data_sets("float32", n, rng):
            yield name, (x.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
        return
    normal = rng.standard_normal(n).astype(dtype)
    yield "normal", normal
    yield "integers", rng.integers(-50, 50, n).astype(dtype)
    yield "large", (rng.standard_normal(n) * float(np.finfo(dtype).max) / 100).astype(dtype)
    yield "zeros", np.where(rng.random(n) < 0.5, -0.0, 0.0).astype(dtype)
    yield "negative zeros", np.full(n, -0.0, dtype)
    for name, specials in (("nan", [np.nan]), ("inf", [np.inf]), ("minus inf", [-np.inf]),
                           ("both infs", [np.inf, -np.inf]), ("everything", [np.nan, np.inf, -np.inf, -0.0])):
        x = normal.copy()
        if n:
            x[rng.integers(0, n, max(1, n // 50))] = rng.choice(specials, max(1, n // 50))
        yield name, x
    yield "only nan", np.full(n, np.nan, dtype)
    yield "only inf", np.full(n, np.inf, dtype)


class Results:
    def __init__(self):
        self.lines = []

    def exactly(self, fold, *values):
        self.lines.append(" ".join([fold, "is"] + [text_of(v) for v in values]))

    def near(self, fold, value, tolerance):
        if not math.isfinite(value):
            return self.exactly(fold, float(value))
        self.lines.append(f"{fold} near {float(value).hex()} {float(tolerance).hex()}")

    def error(self, fold, name):
        self.lines.append(f"{fold} error {name}")


def text_of(value):
    if isinstance(value, (int, bool, np.integer, np.bool_)):
        return str(int(value))
    return float(value).hex()


def integer(results, fold, value, signed):
    """An exact Python integer, where it fits 64 bits."""
    low, high = (-(2**63), 2**63 - 1) if signed else (0, 2**64 - 1)
    if low <= value <= high:
        results.exactly(fold, value)
    else:
        wanted("integer overflow")
        results.error(fold, "overflow")


PLAIN = SimpleNamespace(name="", sum=np.sum, prod=np.prod, mean=np.mean, var=np.var, std=np.std, min=np.min,
                        max=np.max, argmin=np.argmin, argmax=np.argmax)
SKIPPING = SimpleNamespace(name="skip_nan_", sum=np.nansum, prod=np.nanprod, mean=np.nanmean, var=np.nanvar,
                           std=np.nanstd, min=np.nanmin, max=np.nanmax, argmin=np.nanargmin, argmax=np.nanargmax)


def refuses(f, x):
    try:
        f(x)
    except ValueError:
        return True
    return False


def extremes(results, x, kept, numpy):
    if not len(kept):
        assert refuses(numpy.argmin, x) and refuses(numpy.argmax, x)
        if not refuses(numpy.min, x):
            wanted("empty extremes of skipped")
        for fold in ("min", "max", "minmax", "argmin", "argmax", "argminmax"):
            results.error(numpy.name + fold, "empty")
        return
    low, high = numpy.min(x), numpy.max(x)
    if x.dtype.kind == "f":
        negative = np.signbit(kept[kept == 0])
        if low == 0:
            wanted("sign of zero")
            low = -0.0 if negative.any() else 0.0
        if high == 0:
            high = -0.0 if negative.all() else 0.0
    places = numpy.argmin(x), numpy.argmax(x)
    for fold, both in (("minmax", (low, high)), ("argminmax", places)):
        results.exactly(numpy.name + fold.replace("minmax", "min"), both[0])
        results.exactly(numpy.name + fold.replace("minmax", "max"), both[1])
        results.exactly(numpy.name + fold, *both)


def counts(results, kept, prefix):
    results.exactly(prefix + "count", len(kept))
    results.exactly(prefix + "count_if", np.count_nonzero(kept > 0))
    results.exactly(prefix + "any", np.any(kept))
    results.exactly(prefix + "all", np.all(kept))


def logsumexp(results, fold, x, result):
    value = float(result(np.logaddexp.reduce(x.astype(np.longdouble))))
    terms = 2.0**-50 if result is np.float64 else 2.0**-21  # as documented, and what NumPy's additions lose
    results.near(fold, value, terms + abs(value) * float(np.finfo(result).eps) + len(x) * 2.0**-63 * (abs(value) + 1))


def spreads(results, x, n, numpy, result, variance_error):
    """Variances and their roots, of n items; what a variance may be off, given its value and ddof."""
    for ddof in DDOFS:
        variance, root = (float(result(f(x, ddof=ddof))) for f in (numpy.var, numpy.std))
        if n <= ddof:
            if math.isinf(variance):
                wanted("too few degrees of freedom")
            variance = root = math.nan
        error = variance_error(variance, ddof)
        root_error = min(error / root, error**0.5) if root else error**0.5
        results.near(f"{numpy.name}variance/{ddof}", variance, error)
        results.near(f"{numpy.name}standard_deviation/{ddof}", root, root_error)


def integer_case(results, x):
    n = len(x)
    signed = x.dtype.kind == "i"
    exact = [int(v) for v in x.tolist()]
    total = sum(exact)
    if x.dtype.itemsize < 8:
        assert int(np.sum(x)) == total
    integer(results, "sum", total, signed)
    if 0 in exact or n <= 17 or all(abs(v) == 1 for v in exact):
        product = 0 if 0 in exact else math.prod(exact)
    else:  # enough of them are not 1
        product = 2**70
    integer(results, "product", product, signed)
    pairs = list(zip(exact, reversed(exact)))
    integer(results, "dot", sum(a * b for a, b in pairs), signed)
    integer(results, "squared_distance", sum((a - b) ** 2 for a, b in pairs), signed)
    wanted("unsigned norms")
    integer(results, "norm_l1", sum(abs(v) for v in exact), False)
    results.exactly("norm_linf", max((abs(v) for v in exact), default=0))
    wide = x.astype(np.float64)
    wanted("one rounding")
    scale = np.sum(np.abs(wide)) + 1
    eps = 2.0**-53 * (32 + math.log2(n + 1))
    square = np.mean(wide**2) + 1 if n else 1
    results.near("mean", float(np.mean(x)), eps * scale / max(n, 1))
    spreads(results, x, n, PLAIN, np.float64, lambda _, ddof: 64 * eps * square * n / max(n - ddof, 1))
    results.near("norm_l2", np.linalg.norm(wide), eps * scale)
    logsumexp(results, "logsumexp", x, np.float64)


def float_case(results, x, kept, numpy, result):
    wanted("one rounding")
    wanted("overflow on the way")
    prefix, n = numpy.name, len(kept)
    wide = x.astype(np.longdouble if result is np.float64 else np.float64)
    eps = float(np.finfo(result).eps) * (8 + math.log2(len(x) + 1))

    def of_terms(fold, f, terms):
        """A sum or mean of the terms; f is NumPy's."""
        value = f(terms)
        met = terms if numpy is PLAIN else terms[~np.isnan(terms)]
        if len(met) and (met == 0).all() and np.signbit(met).all():
            if not np.signbit(value):
                wanted("sum of only -0")
            value = -0.0
        magnitude = float(np.sum(np.abs(met[np.isfinite(met)]))) + 1e-300
        results.near(prefix + fold, float(result(value)), eps * magnitude / (max(n, 1) if fold == "mean" else 1))

    of_terms("sum", numpy.sum, wide)
    of_terms("mean", numpy.mean, wide)
    of_terms("norm_l1", numpy.sum, np.abs(wide))
    of_terms("dot", numpy.sum, wide * wide[::-1])
    of_terms("squared_distance", numpy.sum, (wide - wide[::-1]) ** 2)
    spreads(results, wide, n, numpy, result, lambda value, _: 64 * eps * value if math.isfinite(value) else 0)
    norm = float(result(np.linalg.norm(kept.astype(wide.dtype))))
    results.near(prefix + "norm_l2", norm, 4 * eps * norm)
    results.exactly(prefix + "norm_linf", np.linalg.norm(kept, np.inf))
    product = float(result(numpy.prod(x.astype(np.longdouble))))
    product_error = (32 * eps + n * 2.0**-62) * abs(product) + float(np.finfo(result).smallest_subnormal)
    results.near(prefix + "product", product, product_error)
    logsumexp(results, prefix + "logsumexp", kept, result)


def case_of(x, dtype):
    results = Results()
    extremes(results, x, x, PLAIN)
    counts(results, x, "")
    if dtype in INTEGERS:
        integer_case(results, x)
        return results
    if dtype in ("float16", "bfloat16"):
        wanted("half precision" if dtype == "float16" else "bfloat16")
    result = np.float64 if dtype == "float64" else np.float32
    float_case(results, x, x, PLAIN, result)
    kept = x[~np.isnan(x)]
    extremes(results, x, kept, SKIPPING)
    counts(results, kept, "skip_nan_")
    float_case(results, x, kept, SKIPPING, result)
    return results


def bytes_of(x, dtype):
    return ((x.view(np.uint32) >> 16).astype(np.uint16) if dtype == "bfloat16" else x).tobytes()


def main(path):
    rng = np.random.default_rng(2013)
    warnings.simplefilter("ignore", RuntimeWarning)  # of means of nothing
    with open(path, "wb") as out, np.errstate(all="ignore"):
        for dtype in INTEGERS + FLOATS:
            for n in SIZES:
                for name, x in data_sets(dtype, n, rng):
                    lines = case_of(x, dtype).lines
                    out.write(f"{dtype} {n} {name.replace(' ', '_')} {len(lines)}\n".encode())
                    out.write(bytes_of(x, dtype))
                    out.write("".join(line + "\n" for line in lines).encode())
    assert used == set(WANTED), f"not met: {set(WANTED) - used}"


if __name__ == "__main__":
    main(sys.argv[1])
