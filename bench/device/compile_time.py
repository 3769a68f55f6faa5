"""Compile time of a source file with one float32 sum on a device, ours and CUB's, alternately, as one line of JSON.

    compile_time.py NVCC ARCHITECTURE INCLUDE [CUB]        CUB: a folder with the headers of another CUB than the toolkit's
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile

SOURCES = {
    "warpfold": """#include <warpfold/device/launch.hpp>
#include <warpfold/folds/sums.hpp>
void total(float const* x, long n, float* out) { wf::reduce_into(out, wf::device_span<float>(x, n), wf::sum); }
""",
    "CUB": """#include <cub/device/device_reduce.cuh>
void total(float const* x, long n, float* out, void* work, std::size_t bytes) {
    cub::DeviceReduce::Sum(work, bytes, x, out, n);
}
""",
}
ROUNDS = 7  # user time of one compilation differs by a fifth from that of the next


def user_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main(nvcc, architecture, include, other_cub=None):
    compiled = {"warpfold": ("warpfold", f"-I{include}"), "CUB": ("CUB", None)}
    if other_cub:
        compiled["other CUB"] = ("CUB", f"-I{other_cub}")
    seconds = {name: [] for name in compiled}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SOURCES.items():
            with open(f"{folder}/{name}.cu", "w") as file:
                file.write(text)
        for _ in range(ROUNDS):
            for name, (source, headers) in compiled.items():
                flags = ["-std=c++20", "-O3", f"-arch={architecture}", *([headers] if headers else [])]
                seconds[name].append(user_seconds([nvcc, *flags, "-c", f"{folder}/{source}.cu", "-o", f"{folder}/{source}.o"]))
    medians = {name: round(statistics.median(times), 2) for name, times in seconds.items()}
    print(json.dumps({"user_seconds": medians, "ratio": round(medians["warpfold"] / medians["CUB"], 3), "rounds": ROUNDS,
                      "architecture": architecture}))


if __name__ == "__main__":
    main(*sys.argv[1:])
