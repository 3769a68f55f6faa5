"""Tables and JSON files from the seconds of host_bench.py and the rates of simt_bench.

    bench/report.py folds SECONDS OUT
    bench/report.py executor RATES OUT
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import time


def rows_of(path):
    """The rows of a benchmark's JSON file by name; of repeated ones the median."""
    with open(path) as file:
        rows = json.load(file)["benchmarks"]
    for row in rows:
        if row.get("error_occurred"):
            raise SystemExit(f"{row['name']}: {row['error_message']}")
    return {row["run_name"].removesuffix("/real_time"): row
            for row in rows if row.get("aggregate_name", "median") == "median"}


def fold_rows(measured):
    """One row a type, size and fold: rates, and how many times as fast as those that took turns with it, at the median of the
    turns, as a machine's memory may be slow for a part of them; of NumPy also at their quartiles."""
    for name, seconds in measured.items():
        kind, size, fold = name.split("/", 2)
        ours = seconds["warpfold"]
        # Of each turn the fastest would be what five reads at once reach by chance.
        read = min((times for who, times in seconds.items() if who.startswith("read ")), key=statistics.median)

        def rate(times):
            return seconds["bytes"] / statistics.median(times) / 1e9

        def quartiles(one, other):
            return statistics.quantiles([b / a for a, b in zip(one, other)], method="inclusive")

        def times_as_fast(one, other):
            return quartiles(one, other)[1]

        row = {"type": kind, "size": size, "fold": fold, "GB_per_s": round(rate(ours), 2),
               "of_read_limit": round(times_as_fast(ours, read), 3)}
        if numpy := seconds.get("numpy"):
            row |= {"numpy_GB_per_s": round(rate(numpy), 3), "numpy_of_read_limit": round(times_as_fast(numpy, read), 4),
                    "times_numpy": round(times_as_fast(ours, numpy), 2),
                    "times_numpy_quartiles": [round(q, 3) for q in quartiles(ours, numpy)]}
        if fsum := seconds.get("math.fsum"):
            row |= {"fsum_GB_per_s": round(rate(fsum), 3), "times_fsum": round(times_as_fast(ours, fsum))}
        yield row


def executor_rows(benchmarks):
    for name, row in benchmarks.items():
        kernel, _, checked = name.partition("/checked:")
        if "items_per_second" in row:
            yield {"kernel": kernel, "checks": checked == "1", "items_per_s": round(row["items_per_second"])}
        else:
            yield {"kernel": kernel, "ns_per_switch": round(row["per_switch"] * 1e9, 2)}


def write(out, what, rows):
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    with open("/proc/cpuinfo") as file:
        cpu = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.processor())
    with open(out, "w") as file:
        json.dump({"cpu": cpu, "cores": len(os.sched_getaffinity(0)), "date": time.strftime("%Y-%m-%d"), "commit": commit,
                   what: rows}, file, indent=1)
        file.write("\n")


def folds(seconds_path, out):
    with open(seconds_path) as file:
        rows = list(fold_rows(json.load(file)))
    print(f"{'type':8} {'size':6} {'fold':34} {'GB/s':>7} {'of limit':>8} {'NumPy':>7} {'times':>7}")
    for row in rows:
        print(f"{row['type']:8} {row['size']:6} {row['fold']:34} {row['GB_per_s']:7.2f} {row['of_read_limit']:8.3f}"
              f" {row.get('numpy_GB_per_s', ''):>7} {row.get('times_numpy', ''):>7}"
              + (f"  {row['times_fsum']} times math.fsum" if "times_fsum" in row else ""))
    # Two loops that both wait for memory differ by chance: slower is what was so in more than three of four turns.
    slower, even = [], []
    for row in rows:
        low, median, high = row.get("times_numpy_quartiles", (1, 1, 1))
        if median < 1:
            name = f"{row['type']}/{row['size']}/{row['fold']}"
            (slower if high < 1 else even).append(f"{name} ({median:.2f}, half of the turns {low:.2f} to {high:.2f})")
    print(f"\nslower than NumPy: {', '.join(slower) or 'none'}")
    print(f"slower at the median, but not in three of four turns: {', '.join(even) or 'none'}\n")
    write(out, "folds", rows)


def executor(rates_path, out):
    rows = list(executor_rows(rows_of(rates_path)))
    for row in rows:
        print(f"executor: {row['kernel']:14}", f"checks {'on' if row['checks'] else 'off':3} {row['items_per_s'] / 1e6:8.1f} "
              "million items/s" if "checks" in row else f"{row['ns_per_switch']} ns")
    write(out, "executor", rows)


{"folds": folds, "executor": executor}[sys.argv[1]](*sys.argv[2:])
