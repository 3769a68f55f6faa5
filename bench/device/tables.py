"""The tables of docs/performance.md from what script/gpu wrote: tables.py FOLDER, e.g. results/h200"""

import json
import pathlib
import sys

TYPES = {"float": "float32", "double": "float64", "float16": "float16", "bfloat16": "bfloat16", "int32": "int32",
         "int64": "int64", "int8": "int8", "uint8": "uint8"}
TOGETHER = "sum, mean, variance, min, max, argmin, argmax, norm_l2 together"
VALUE = "sum, value on the host"
COMPARED = ("sum", "min", "argmin", "mean and variance", "norm_l2", "dot", "logsumexp")


def read_rows(folder):
    """(type, who, fold, data, bytes) → the row; a peer's bytes and types are ours."""
    rows = {}
    for path in sorted(folder.glob("*.json")):
        if path.name.startswith("bench_") or path.name in ("peers.json", "cub.json"):
            for line in path.read_text().splitlines():
                row = json.loads(line)
                if not (path.name == "cub.json" and row["who"] == "read limit"):
                    rows[row["type"], row["who"], row["fold"], row["data"], row["bytes"]] = row
    return rows


def benched(rows, kinds=TYPES):
    """Those of the types that the folder has: script/gpu may have measured some of them."""
    return [kind for kind in kinds if any(k == kind and who == "warpfold" for k, who, *_ in rows)]


def data_of(rows, kind):
    """What the items of a type are in most rows: normally distributed, or, of integers, random."""
    (data,) = {data for (k, who, fold, data, _) in rows if (k, who, fold) == (kind, "warpfold", "min")}
    return data


def print_table(header, lines):
    print("\n| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|")
    for line in lines:
        print("| " + " | ".join(line) + " |")


def print_large(rows, size, peers):
    def fraction(kind, who, fold):
        row = rows.get((kind, who, fold, data_of(rows, kind), size))
        limit = rows[kind, "read limit", "read", data_of(rows, kind), size]["us"]
        return f"{limit / row['us']:.3f}" if row else "–"

    folds = ["sum", "min", "minmax", "argmin", "argminmax", "mean and variance", "norm_l2", "dot", "squared distance", "count_if",
             "logsumexp", TOGETHER]
    lines = [(("warpfold", fold), "eight folds together" if fold == TOGETHER else fold) for fold in folds]
    lines += [((who, fold), f"{who} {fold}") for who, of in peers for fold in of]
    kinds = benched(rows)
    print_table(["fold", *(TYPES[kind] for kind in kinds)], [[name, *(fraction(kind, *of) for kind in kinds)] for of, name in lines])


def print_hard(rows, size):
    datas = ["uniform", "normal times 1e6", "normal times 1e20", "exp(3 normal)", "finite bit patterns"]
    lines = []
    for kind in benched(rows, ("float", "double", "float16", "bfloat16")):
        limit = rows[kind, "read limit", "read", "normal", size]["us"]
        for fold in ("sum", "variance", "dot"):
            found = [rows.get((kind, "warpfold", fold, data, size)) for data in datas]
            lines.append([f"{fold} of {TYPES[kind]}", *(f"{limit / row['us']:.3f}" if row else "–" for row in found)])
    print_table(["fold", *datas], lines)


def print_small(rows, sizes):
    columns = [("warpfold", "sum", "exact sum"), ("CUB", "sum", "CUB sum"), ("PyTorch", "sum", "PyTorch sum"),
               ("warpfold", "min", "min"), ("CUB", "min", "CUB min"), ("warpfold", "argmin", "argmin"), ("CUB", "argmin", "CUB argmin"),
               ("warpfold", "mean and variance", "mean and variance"),
               ("PyTorch", "mean and variance", "PyTorch var_mean"), ("warpfold", "norm_l2", "norm_l2"),
               ("warpfold", "logsumexp", "logsumexp"), ("warpfold", TOGETHER, "eight together"),
               ("read limit", "read", "reading alone")]
    print_table(["items", *(name for _, _, name in columns)],
                [[str(n), *(f"{rows['float', who, fold, 'normal', 4 * n]['us']:.1f}" for who, fold, _ in columns)] for n in sizes])


def print_value(rows, sizes):
    pairs = [[rows["float", who, VALUE, "normal", 4 * n]["us"] for who in ("warpfold", "CUB")] for n in sizes]
    print_table(["items", "warpfold", "CUB", "ratio"],
                [[str(n), f"{ours:.1f}", f"{cub:.1f}", f"{ours / cub:.2f}"] for n, (ours, cub) in zip(sizes, pairs)])


def print_slower(rows):
    """Where the fastest peer is faster than we are."""
    for kind in benched(rows):
        data = data_of(rows, kind)
        width = 1 if kind.endswith("int8") else 2 if kind.endswith("16") else 4 if kind in ("float", "int32") else 8
        for fold in COMPARED:
            found, compared = [], 0
            for power in range(8, 33):
                size = width << power
                ours = rows.get((kind, "warpfold", fold, data, size))
                peers = [(row["us"], who) for (k, who, f, d, b), row in rows.items()
                         if (k, f, d, b) == (kind, fold, data, size) and who not in ("warpfold", "read limit")]
                compared += bool(ours and peers)
                if ours and peers and ours["us"] > 1.005 * min(peers)[0]:
                    found.append(f"2^{power} {ours['us'] / min(peers)[0]:.2f} ({min(peers)[1]})")
            if compared:
                print(f"- {fold} of {TYPES[kind]}, {compared} sizes: {', '.join(found) or 'nowhere'}")


def main(folder):
    rows = read_rows(pathlib.Path(folder))
    cub = ("sum", "min", "argmin")
    newer = sorted({who for (_, who, *_) in rows if who.startswith("CUB ")})
    peers = [("CUB", cub), *((who, cub) for who in newer), ("PyTorch", COMPARED)]
    for size in (4 << 30, 1 << 30):
        print(f"\n### {size >> 30} GiB, fraction of the read limit")
        print_large(rows, size, peers)
    print("\n### Items that are hard to add, 4 GiB, fraction of the read limit")
    print_hard(rows, 4 << 30)
    print("\n### Small float32 inputs, one launch, microseconds")
    print_small(rows, [1 << power for power in range(8, 23, 2)])
    print("\n### The value of a float32 sum on the host, microseconds")
    print_value(rows, [1 << power for power in range(8, 21, 2)])
    print("\n### Slower than the fastest peer\n")
    print_slower(rows)


main(sys.argv[1])
