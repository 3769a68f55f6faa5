"""What limits the engine's kernels, by Nsight Compute's counters.

    bench/device/counters.py FOLDER BENCH...       benches are device_bench programs, one an item type

Writes engine-counters.csv and engine-counters.md into the folder, whose machine.json says what ran there. Caches are emptied
before each pass, clocks left alone."""

import csv
import json
import pathlib
import subprocess
import sys

PIPES = {"fp64": "sm__inst_executed_pipe_fp64", "alu": "sm__inst_executed_pipe_alu", "fma": "sm__inst_executed_pipe_fma",
         "lsu": "sm__inst_executed_pipe_lsu"}
STALLS = ("long_scoreboard", "short_scoreboard", "math_pipe_throttle", "wait", "barrier", "no_instruction", "mio_throttle",
          "lg_throttle", "dispatch_stall", "not_selected", "branch_resolving", "imc_miss", "membar", "drain", "sleeping")
METRICS = {
    "ns": "gpu__time_duration.sum",
    "DRAM bytes": "dram__bytes_read.sum",
    "DRAM %": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "warp instructions": "smsp__inst_executed.sum",
    "issue %": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "warps": "smsp__warps_active.avg.per_cycle_active",
    "registers": "launch__registers_per_thread",
    "threads": "launch__block_size",
    "cycles": "sm__cycles_active.max",
    **{f"{pipe} %": f"{name}.avg.pct_of_peak_sustained_active" for pipe, name in PIPES.items()},
    **{stall: f"smsp__average_warps_issue_stalled_{stall}_per_issue_active.ratio" for stall in STALLS},
}


def number(text):
    return float(text.replace(",", ""))


def watch(bench, folder):
    """A dictionary a launch: what the program says of it, and the metrics."""
    log = folder / "ncu.csv"
    shown = subprocess.run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--log-file", log, "--clock-control", "none",
                            "--kernel-name", "regex:reduce_kernel|DeviceReduceSingleTileKernel", "--metrics",
                            ",".join(METRICS.values()), bench, "once"],
                           check=True, capture_output=True, text=True).stdout
    launches = [json.loads(line) for line in shown.splitlines() if line.startswith("{")]
    with open(log) as file:
        rows = list(csv.DictReader(line for line in file if line.startswith('"')))[1:]  # after the units
    log.unlink()
    if len(rows) != len(launches):
        raise SystemExit(f"{bench}: {len(rows)} launches under ncu, {len(launches)} expected")
    return [{**launch, **{name: number(row[metric]) for name, metric in METRICS.items()}}
            for launch, row in zip(launches, rows)]


def line(row):
    stalls = sorted(STALLS, key=lambda stall: -row[stall])[:3]
    fold = row["fold"] if row["data"] == "normal" else f"{row['fold']}, {row['data']}"
    cells = [fold, row["type"], f"{row['items']}", f"{row['threads']:.0f}", f"{row['ns'] / 1000:.1f}",
             f"{row['cycles']:.0f}", f"{row['DRAM %']:.0f}",
             f"{32 * row['warp instructions'] / row['items']:.1f}", f"{row['issue %']:.0f}",
             *(f"{row[pipe + ' %']:.0f}" for pipe in PIPES), f"{row['warps']:.1f}", f"{row['registers']:.0f}",
             ", ".join(f"{stall} {row[stall]:.1f}" for stall in stalls)]
    return "| " + " | ".join(cells) + " |"


def main():
    folder = pathlib.Path(sys.argv[1])
    rows = [row for bench in sys.argv[2:] for row in watch(bench, folder)]
    machine = json.loads((folder / "machine.json").read_text())
    ran = f"{machine['gpu']}, driver {machine['driver']}, CUDA {machine['cuda']}, {machine['date']}, commit {machine['commit']}"
    with open(folder / "engine-counters.csv", "w") as file:
        file.write(f"# {ran}\n")
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    heads = ["fold", "type", "items", "threads", "us", "cycles", "DRAM %", "instructions an item", "issue %",
             *(f"{pipe} %" for pipe in PIPES), "warps", "registers", "what a warp waits for"]
    (folder / "engine-counters.md").write_text(
        f"# Counters of the engine's kernels\n\n{ran}.\nNsight Compute, caches emptied before each pass. Percentages are of the "
        "peak: of memory's rate, of the cycles in which a\nscheduler can issue, of what each pipe takes. `threads`: of a block. `cycles`: of the busiest\n"
        "multiprocessor. `warps`: resident, a scheduler. Waiting: warps that wait for this reason\nwhile one instruction is issued. Time is the kernel's own, under the profiler.\n\n"
        + "\n".join(["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|", *map(line, rows)]) + "\n")


main()
