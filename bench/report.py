"""One table and one JSON file from the rates of host_bench and peers.py: bench/report.py OURS PEERS OUT."""

import json
import platform
import subprocess
import sys
import time


def rates(path):
    with open(path) as file:
        found = {}
        for row in json.load(file)["benchmarks"]:
            if row.get("error_occurred"):
                raise SystemExit(f"{row['name']}: {row['error_message']}")
            if row.get("aggregate_name", "median") == "median":
                name = row.get("run_name", row["name"]).removesuffix("/real_time")
                found[name] = row["bytes_per_second"] / 1e9
        return found


def main():
    ours, peers = rates(sys.argv[1]), rates(sys.argv[2])
    rows = []
    for name in ours:
        kind, size, fold = name.split("/", 2)
        limit = max(r for n, r in ours.items() if n.startswith(f"{kind}/{size}/read limit"))
        peer = peers.get(f"{kind}/{size}/numpy {fold}")
        rows.append({"type": kind, "size": size, "fold": fold, "GB_per_s": round(ours[name], 2),
                     "of_read_limit": round(ours[name] / limit, 3),
                     "numpy_GB_per_s": peer and round(peer, 2), "times_numpy": peer and round(ours[name] / peer, 2)})
    for name, rate in peers.items():
        kind, size, fold = name.split("/", 2)
        if fold == "math.fsum":
            rows.append({"type": kind, "size": size, "fold": fold, "GB_per_s": round(rate, 3)})
    print(f"{'type':8} {'size':6} {'fold':34} {'GB/s':>7} {'of limit':>8} {'NumPy':>7} {'times':>7}")
    for row in rows:
        print(f"{row['type']:8} {row['size']:6} {row['fold']:34} {row['GB_per_s']:7.2f} {row.get('of_read_limit', ''):>8}"
              f" {row.get('numpy_GB_per_s') or '':>7} {row.get('times_numpy') or '':>7}")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    with open("/proc/cpuinfo") as file:
        cpu = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.processor())
    with open(sys.argv[3], "w") as file:
        json.dump({"cpu": cpu, "date": time.strftime("%Y-%m-%d"), "commit": commit, "rows": rows}, file, indent=1)
        file.write("\n")


main()
