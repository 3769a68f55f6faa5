"""Counts our own lines that `wf::sum` of floats pulls in, as the compiler sees them: count_lines.py CXX INCLUDE LIMIT."""

import re
import subprocess
import sys
from collections import Counter

SOURCE = """#include <warpfold/warpfold.hpp>
float total(float const (&x)[4]) { return wf::sum(x); }
"""


def main(compiler, include, limit):
    text = subprocess.run([compiler, "-std=c++20", "-E", "-x", "c++", "-", "-I", include], input=SOURCE, text=True,
                          stdout=subprocess.PIPE, check=True).stdout
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
    sys.exit(total >= limit)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
