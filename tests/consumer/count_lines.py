"""Counts our own lines that `wf::sum` of floats pulls in, as the compiler sees them: count_lines.py CXX INCLUDE LIMIT [SIMT].

With SIMT, the include folder of the SIMT executor, the sum is the device's: what nvcc sees of our headers, the executor's
compiler sees too.
"""

import re
import subprocess
import sys
from collections import Counter

HOST = """#include <warpfold/warpfold.hpp>
float total(float const (&x)[4]) { return wf::sum(x); }
"""
DEVICE = """#include <warpfold/device/launch.hpp>
#include <warpfold/folds/sums.hpp>
float total(float const* x) { return wf::sum(wf::device_span<float>(x, 4)); }
"""


def main(compiler, include, limit, simt=None):
    flags = ["-include", "simt/cuda.hpp", "-I", simt] if simt else []
    text = subprocess.run([compiler, "-std=c++20", "-E", "-x", "c++", "-", "-I", include, *flags], text=True,
                          input=DEVICE if simt else HOST, stdout=subprocess.PIPE, check=True).stdout
    lines = Counter()
    file = ""
    for line in text.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            file = marker[1]
        elif line.strip() and file.startswith(f"{include}/warpfold/"):
            lines[file.removeprefix(f"{include}/")] += 1
    assert lines, "no line of ours was seen"
    for name, count in lines.most_common():
        print(f"{count:6} {name}")
    total = sum(lines.values())
    print(f"{total:6} in all, {limit} allowed")
    sys.exit(total > limit)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
