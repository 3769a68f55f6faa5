"""What a fold's answer over a tensor is, and how far off a library's is.

Sums of items, of magnitudes and of products of two are exact: cut into integers of 32 bits, which int64 adds. Quotients, roots
and logarithms of sums have 50 digits. Exponentials and logarithms of items are rounded to double: of doubles, logsumexp and
product are known to about two units of the last place."""

import decimal
import functools
import math
from fractions import Fraction

import torch

CHUNK = 1 << 25  # items that are looked at together
decimal.getcontext().prec = 50


def exact_sum(terms):
    """Of at most CHUNK doubles; what is dropped is less than 2^-94 of the greatest, each."""
    total = Fraction(0)
    for _ in range(3):
        greatest = float(terms.abs().max()) if terms.numel() else 0.0
        if greatest == 0:
            break
        unit = 2.0 ** (math.frexp(greatest)[1] - 32)
        whole = (terms / unit).round()
        total += int(whole.long().sum()) * Fraction(unit)
        terms = terms - whole * unit
    return total


def halved(x):
    """Two parts of a double, of 26 bits each: their products have no rounding."""
    scaled = 134217729.0 * x
    high = scaled - (scaled - x)
    return high, x - high


def exact_sum_of_products(a, b):
    product = a * b
    (a_high, a_low), (b_high, b_low) = halved(a), halved(b)
    dropped = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return exact_sum(product) + exact_sum(dropped)


def exact_sum_of_integers(x):
    wide = x.long()
    return (int((wide >> 32).sum()) << 32) + int((wide & 0xFFFFFFFF).sum())


def to_decimal(fraction):
    return decimal.Decimal(fraction.numerator) / decimal.Decimal(fraction.denominator)


def ulps_off(found, right, dtype):
    """In units of the last place of `right`, a Fraction, as `dtype` holds it; none where `found` is not near it at all."""
    kind = torch.finfo(dtype)
    exponent = math.frexp(max(abs(float(right)), kind.smallest_normal))[1] - 1
    ulp = Fraction(2) ** exponent * Fraction(kind.eps)
    if math.isinf(found):
        overflows = abs(right) >= Fraction(kind.max) + ulp / 2 and (found > 0) == (right > 0)
        return 0.0 if overflows else None
    return None if math.isnan(found) else float(abs(Fraction(found) - right) / ulp)


class Answers:
    """Those of one tensor, each computed when it is first asked for."""

    def __init__(self, x):
        self.x = x

    def over_chunks(self, total, *tensors):
        return sum((total(*parts) for parts in zip(*(x.split(CHUNK) for x in tensors))), Fraction(0))

    @functools.cached_property
    def sum(self):
        if not self.x.is_floating_point():
            return self.over_chunks(exact_sum_of_integers, self.x)
        return self.over_chunks(lambda x: exact_sum(x.double()), self.x)

    @functools.cached_property
    def squares(self):
        return self.over_chunks(lambda x: exact_sum_of_products(x.double(), x.double()), self.x)

    @functools.cached_property
    def mean_and_variance(self):
        n = self.x.numel()
        return self.sum / n, (self.squares - self.sum**2 / n) / n

    @functools.cached_property
    def norm_l1(self):
        return self.over_chunks(lambda x: exact_sum(x.double().abs()), self.x)

    @functools.cached_property
    def norm_l2(self):
        return Fraction(to_decimal(self.squares).sqrt())

    @functools.cached_property
    def logsumexp(self):
        return Fraction(to_decimal(self.over_chunks(lambda x: exact_sum(x.double().exp()), self.x)).ln())

    @functools.cached_property
    def dot(self):
        half = self.x.numel() // 2
        halves = self.x[:half], self.x[half:]
        return self.over_chunks(lambda a, b: exact_sum_of_products(a.double(), b.double()), *halves)

    @functools.cached_property
    def product(self):
        """Of positive floats, or of integers 1 and -1."""
        if not self.x.is_floating_point():
            return Fraction((-1) ** sum(int((part < 0).sum()) for part in self.x.split(CHUNK)))
        return Fraction(to_decimal(self.over_chunks(lambda x: exact_sum(x.double().log()), self.x)).exp())

    def has(self, relation, value, upto=None):
        return any(bool(relation(part, value).any()) for part in self.x[:upto].split(CHUNK))

    def is_extreme(self, value, beyond):
        return not self.has(beyond, value) and self.has(torch.eq, value)

    def judge_place(self, index, beyond):
        value = self.x[index].item()
        if self.has(beyond, value):
            return {"answer": f"WRONG: index {index}"}
        return {"answer": "right, but not the first" if self.has(torch.eq, value, index) else "right"}

    def judge(self, fold, found):
        """An answer, and of floats how many ulps it is off; the worse one of two."""
        parts = found if isinstance(found, tuple) else (found,)
        values = [part.item() for part in parts]
        beyond = {"min": torch.lt, "max": torch.gt}
        if fold == "any":
            return {"answer": "right" if bool(values[0]) == self.has(torch.ne, 0) else "WRONG"}
        if fold in ("argmin", "argmax"):
            return self.judge_place(values[0], beyond[fold[3:]])
        if fold in ("min", "max", "minmax"):
            sides = [beyond[side] for side in ("min", "max") if side in fold]
            right = all(self.is_extreme(value, side) for value, side in zip(values, sides))
            return {"answer": "right" if right else f"WRONG: {values}"}
        rights = getattr(self, fold.replace(" ", "_"))
        rights = rights if isinstance(rights, tuple) else (rights,)
        if not self.x.is_floating_point():
            return self.judge_integer(values[0], int(rights[0]))
        dtypes = [getattr(torch, str(part.dtype).split(".")[-1]) for part in parts]
        off = [ulps_off(*each) for each in zip(values, rights, dtypes)]
        if None in off:
            return {"answer": f"WRONG: {values}, not {[float(right) for right in rights]}"}
        return {"ulps": float(f"{max(off):.3g}"), "answer": "right" if max(off) <= 0.5 else "inexact"}

    def judge_integer(self, value, right):
        if value == right:
            return {"answer": "right"}
        return {"answer": "right modulo 2^64" if (value - right) % 2**64 == 0 else f"WRONG: {value}, not {right}"}
