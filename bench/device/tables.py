"""The tables of docs/performance.md, and more, from what script/gpu wrote: tables.py FOLDER, e.g. results/h200"""

import collections
import json
import pathlib
import sys

TYPES = {"float": "float32", "double": "float64", "float16": "float16", "bfloat16": "bfloat16", "int32": "int32",
         "int64": "int64", "int8": "int8", "uint8": "uint8"}
BYTES = {"float": 4, "double": 8, "float16": 2, "bfloat16": 2, "int32": 4, "int64": 8, "int8": 1, "uint8": 1}
TOGETHER = "sum, mean, variance, min, max, argmin, argmax, norm_l2 together"
VALUE = "sum, value on the host"
FOLDS = ("sum", "min", "max", "minmax", "argmin", "argmax", "argminmax", "mean and variance", "norm_l1", "norm_l2", "dot",
         "squared distance", "count_if", "logsumexp", "product", "any", TOGETHER)
COMPARED = ("sum", "min", "max", "minmax", "argmin", "argmax", "mean and variance", "norm_l1", "norm_l2", "dot", "logsumexp",
            "product", "any")
CUB = ("sum", "min", "max", "argmin", "argmax", "product")


def title_of(fold):
    return "eight folds together" if fold == TOGETHER else fold


def read_rows(folder):
    """(type, who, fold, data, bytes) → the row; a peer's bytes and types are ours. And {what was measured on: files}."""
    rows, machines = {}, collections.defaultdict(list)
    for path in sorted(folder.glob("*.json")):
        if path.name == "machine.json" or path.name.startswith("bench_") or path.name in ("peers.json", "cub.json"):
            for line in path.read_text().splitlines():
                row = json.loads(line)
                if "gpu" in row:
                    machines[tuple(row.values())].append(path.name)
                elif not (path.name == "cub.json" and row["who"] == "read limit"):
                    data = data_of(row["type"]) if row["data"] == "normal" else row["data"]
                    rows[row["type"], row["who"], row["fold"], data, row["bytes"]] = row
    return rows, machines


def benched(rows, kinds=TYPES):
    """Those of the types that the folder has: script/gpu may have measured some of them."""
    return [kind for kind in kinds if any(k == kind and who == "warpfold" for k, who, *_ in rows)]


def data_of(kind, fold=None):
    """What the items of a type are in most rows of a fold; there were integers that were called normal."""
    usual = "uniform" if "int" in kind else "normal"
    return {"product": "near 1", "any": "zeros"}.get(fold, usual)


def row_of(rows, kind, who, fold, size, where=""):
    """None where it was not measured. `where` and the like follow the fold's name in a row's."""
    return rows.get((kind, who, fold + where, data_of(kind, fold), size))


def limit_of(rows, kind, size):
    return row_of(rows, kind, "read limit", "read", size)["us"]


def print_table(header, lines):
    print("\n| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|")
    for line in lines:
        print("| " + " | ".join(line) + " |")


def print_lines(rows, lines, cell):
    """A line for each (who, fold) that any type has, a column for each type; `cell` yields a text of a row."""
    kinds = benched(rows)
    found = {line: [cell(*line, kind) for kind in kinds] for line in lines}
    print_table(["fold", *(TYPES[kind] for kind in kinds)],
                [[title_of(fold) if who == "warpfold" else f"{who} {fold}", *cells]
                 for (who, fold), cells in found.items() if set(cells) != {"–"}])


def print_large(rows, size, lines):
    def cell(who, fold, kind):
        row = row_of(rows, kind, who, fold, size)
        if not row:
            return "–"
        error = f" ({row['ulps']:.2g})" if "ulps" in row else ""
        return f"{limit_of(rows, kind, size) / row['us']:.3f}{error}" + (" WRONG" if "WRONG" in row["answer"] else "")

    print_lines(rows, lines, cell)


def print_spread(rows, size, lines):
    def cell(who, fold, kind):
        row = row_of(rows, kind, who, fold, size)
        return f"{100 * (row['upper_us'] - row['lower_us']) / row['us']:.1f}" if row and "upper_us" in row else "–"

    print_lines(rows, [("read limit", "read"), *lines], cell)


def print_answers(rows, lines):
    """Of all rows of a fold: all data, odd sizes and the like too."""
    found = collections.defaultdict(list)
    for (kind, who, fold, *_), row in rows.items():
        found[kind, who, fold if fold == TOGETHER else fold.split(", ")[0]].append(row)

    def cell(who, fold, kind):
        of = found[kind, who, fold]
        answers = collections.Counter(row["answer"].split(":")[0] for row in of)
        wrong = answers.pop("WRONG", 0)
        if wrong:
            return f"WRONG, {wrong} of {len(of)}"
        errors = [row["ulps"] for row in of if "ulps" in row]
        if errors:
            return f"{sorted(errors)[len(errors) // 2]:.2g}, {max(errors):.2g}"
        return ", ".join(answer.replace("the same bits from a grid of 97 blocks", "same bits") for answer in answers) or "–"

    print_lines(rows, lines, cell)


def print_beside(rows, fold, where, sizes, whos):
    """Microseconds of ours and of peers by items, for each type; `where` follows the fold's name."""
    def cell(kind, n):
        of = [row_of(rows, kind, who, fold, BYTES[kind] * n, where) for who in whos]
        return " / ".join(f"{row['us']:.2f}" if row else "–" for row in of) if any(of) else "–"

    kinds = benched(rows)
    lines = {n: [cell(kind, n) for kind in kinds] for n in sizes}
    lines = [[str(n), *cells] for n, cells in lines.items() if set(cells) != {"–"}]
    if lines:
        print(f"\n{fold}{where}: {' / '.join(whos)}")
        print_table(["items", *(TYPES[kind] for kind in kinds)], lines)


def print_hard(rows, size):
    datas = ["uniform", "normal times 1e6", "normal times 1e20", "exp(3 normal)", "finite bit patterns"]
    lines = []
    for kind in benched(rows, ("float", "double", "float16", "bfloat16")):
        limit = limit_of(rows, kind, size)
        for fold in ("sum", "variance", "dot"):
            found = [rows.get((kind, "warpfold", fold, data, size)) for data in datas]
            lines.append([f"{fold} of {TYPES[kind]}", *(f"{limit / row['us']:.3f}" if row else "–" for row in found)])
    print_table(["fold", *datas], lines)


def print_small(rows, sizes, cell):
    columns = [("warpfold", "sum", "exact sum"), ("CUB", "sum", "CUB sum"), ("PyTorch", "sum", "PyTorch sum"),
               ("warpfold", "min", "min"), ("CUB", "min", "CUB min"), ("warpfold", "argmin", "argmin"), ("CUB", "argmin", "CUB argmin"),
               ("warpfold", "mean and variance", "mean and variance"),
               ("PyTorch", "mean and variance", "PyTorch var_mean"), ("warpfold", "norm_l2", "norm_l2"),
               ("warpfold", "logsumexp", "logsumexp"), ("warpfold", TOGETHER, "eight together"),
               ("read limit", "read", "reading alone")]
    found = {n: [row_of(rows, "float", who, fold, 4 * n) for who, fold, _ in columns] for n in sizes}
    print_table(["items", *(name for _, _, name in columns)],
                [[str(n), *(cell(row) if row else "–" for row in of)] for n, of in found.items()])


def print_value(rows, sizes):
    whos = [who for who in ("warpfold", "CUB", "PyTorch", "CuPy", "launch limit")
            if all(row_of(rows, "float", who, VALUE, 4 * n) for n in sizes)]
    found = {n: [row_of(rows, "float", who, VALUE, 4 * n)["us"] for who in whos] for n in sizes}
    print_table(["items", *whos, "ratio"],
                [[str(n), *(f"{us:.1f}" for us in times), f"{times[0] / times[1]:.2f}"] for n, times in found.items()])


def print_slower(rows, time):
    """Where a peer is faster than we are, of the powers of two, by this time of a row, and by how much most; bold where
    the middle halves of both lie apart."""
    peers = collections.defaultdict(list)
    for (kind, who, fold, data, size), row in rows.items():
        if not who.startswith("warpfold") and who not in ("read limit", "launch limit"):
            ours = rows.get((kind, f"warpfold beside {who}", fold, data, size)) or rows.get((kind, "warpfold", fold, data, size))
            if ours:
                peers[kind, fold, data, size].append((ours, row))
    lines, nowhere, apart = [], 0, 0
    for kind in benched(rows):
        for fold in COMPARED:
            found, compared = [], 0
            for power in range(8, 33):
                size = BYTES[kind] << power
                compared_to = peers[kind, fold, data_of(kind, fold), size]
                if not compared_to:
                    continue
                compared += 1
                ours, peer = max(compared_to, key=lambda pair: pair[0][time] / pair[1][time])
                if ours[time] > 1.005 * peer[time]:
                    mark = "**" if ours.get("lower_us", ours["us"]) > peer.get("upper_us", peer["us"]) else ""
                    found.append(f"{mark}2^{power} {ours[time] / peer[time]:.2f}{mark} ({peer['who']})")
            if compared:
                lines.append(f"- {fold} of {TYPES[kind]}, {compared} sizes: {', '.join(found) or 'nowhere'}")
                nowhere += not found
                apart += any(one.startswith("**") for one in found)
    said = {"us": "medians", "mean_us": "means without a tenth of the runs at either end"}[time]
    print(f"By {said}, of {len(lines)} lists {nowhere} nowhere. Bold, in {apart} lists: the middle halves of both lie apart.\n")
    print("\n".join(lines))


def main(folder):
    rows, machines = read_rows(pathlib.Path(folder))
    for (gpu, driver, cuda, date, commit), files in machines.items():
        print(f"{gpu}, driver {driver}, CUDA {cuda}, {date}, commit {commit}: {', '.join(files)}")
    checked = any("upper_us" in row for row in rows.values())  # since when peers' answers are, and all that goes with it
    newer = sorted({who for (_, who, *_) in rows if who.startswith("CUB ")})
    lines = [("warpfold", fold) for fold in FOLDS]
    lines += [(who, fold) for who in ("CUB", *newer) for fold in CUB]
    lines += [("PyTorch", fold) for fold in COMPARED]
    all_lines = lines + [("CuPy", fold) for fold in COMPARED]
    for size in (4 << 30, 1 << 30):
        print(f"\n### {size >> 30} GiB, fraction of the read limit\n")
        if checked:
            print("In brackets: the error of a peer's answer, in units of the last place of its type.")
        print_large(rows, size, lines)
    print("\n### Items that are hard to add, 4 GiB, fraction of the read limit")
    print_hard(rows, 4 << 30)
    if checked:
        print("\n### Answers at all sizes\n")
        print("Of a peer's floats the median error and the greatest, in units of the last place of its type.")
        print_answers(rows, [*all_lines, ("warpfold", "variance")])
        print("\n### The middle half of the runs at 4 GiB, % of the median")
        print_spread(rows, 4 << 30, all_lines)
    if "float" in benched(rows):
        small = [1 << power for power in range(8, 23, 2)]
        print("\n### Small float32 inputs, one launch, microseconds")
        print_small(rows, small, lambda row: f"{row['us']:.1f}")
        if checked:
            print("\n### The same, the middle half of the runs")
            print_small(rows, small, lambda row: f"{row['lower_us']:.2f}–{row['upper_us']:.2f}")
        print("\n### The value of a float32 sum on the host, microseconds")
        print("\nRatio: to CUB's, a copy and a wait. Launch limit: a kernel that reads nothing and tells a value as ours do.")
        print_value(rows, [1 << power for power in range(8, 21, 2)])
    if checked:
        powers = [1 << power for power in range(8, 29, 4)]
        odd = sorted([1000003, *(n - 1 for n in powers), *(n + 1 for n in powers)])
        print("\n### Back to back, microseconds a call")
        for fold in ("sum", "min"):
            print_beside(rows, fold, ", back to back", powers, ("warpfold", "CUB", "PyTorch"))
        print("\n### With nothing in the cache that has to be written first, microseconds")
        for fold in ("sum", "min"):
            print_beside(rows, fold, ", cache clean", [1 << power for power in range(8, 25, 2)], ("warpfold", "CUB"))
        print("\n### Inputs of 1 to 64 MiB that are read once, by that option, microseconds")
        for fold in ("sum", "min"):
            print_beside(rows, fold, ", read once", [1 << power for power in range(17, 27)], ("warpfold",))
        print("\n### Odd sizes, microseconds")
        for fold in ("sum", "min"):
            print_beside(rows, fold, "", odd, ("warpfold", "CUB"))
            print_beside(rows, fold, ", from the second item", powers, ("warpfold", "CUB"))
    print("\n### Slower than the fastest peer\n")
    print_slower(rows, "us")
    if all("mean_us" in row for row in rows.values()):
        print("\n### The same by means\n")
        print_slower(rows, "mean_us")


main(sys.argv[1])
