"""Counts the way of a float sum on a device from the public call to the shuffle: hops between named functions of ours, the
files they lie in, and the lines of code in their bodies: count_hops.py INCLUDE.

The way is written down here; that each function still calls the next is checked.
"""

import re
import sys

MOST_HOPS, MOST_FILES, MOST_LINES = 7, 5, 300

# File, how the function's definition begins (of several that do, the last on the way up to `takes`), and its name.
WAY = [
    ("folds/family.hpp", r"auto operator\(\)\(Range const& range, How const&\.\.\. how\) const", "wf::sum(x)"),
    ("device/launch.hpp", r"auto reduce\(R const& range, F const& f\)", "reduce"),
    ("device/launch.hpp", r"auto reduce\(R const& range, F const& f, device::options const& how\)", "reduce"),
    ("device/launch.hpp", r"void launch\(int device, F const& bound_fold", "launch"),
    ("device/grid.hpp", r"reduce_kernel\(__grid_constant__", "reduce_kernel"),
    ("device/warp.hpp", r"void merge_block\(", "merge_block"),
    ("device/lanes/float_sums.hpp", r"static void merge_warp\(gather const&, partial& p\)", "merge_warp"),
    ("device/warp.hpp", r"wide_integer<Words> sum_warp\(wide_integer<Words> x\)", "sum_warp"),
]
# Between the function that chooses a kernel and the kernel lies the launch of its graph; a block merges by what the kernel hands it.
CALLED_AS = {"reduce_kernel": "cudaGraphLaunch", "merge_warp": "merge_lanes"}
LAST_CALL = "__reduce_add_sync"


def body(text, start):
    """The lines of code of the function whose definition begins with `start`, from its name to its last brace."""
    found = re.search(start, text)
    assert found, f"no function begins with {start}"
    opened = text.index("{", found.end())
    depth = 0
    for at in range(opened, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[found.start():at + 1]
    raise AssertionError(f"{start} never ends")


def main(include):
    lines = 0
    previous = None
    for file, start, name in WAY:
        text = re.sub(r"//.*", "", open(f"{include}/warpfold/{file}").read())
        if previous:
            call = CALLED_AS.get(name, name)
            assert re.search(rf"\b{call}\b", previous[1]), f"{previous[0]} does not call {call}"
        code = body(text, start)
        count = sum(bool(line.strip()) for line in code.splitlines())
        print(f"{count:4} lines  {name}  ({file})")
        lines += count
        previous = name, code.split("{", 1)[1]
    assert LAST_CALL in previous[1], f"{previous[0]} does not call {LAST_CALL}"
    hops, files = len(WAY) - 1, len({file for file, _, _ in WAY})
    print(f"{hops} hops of {MOST_HOPS}, {files} files of {MOST_FILES}, {lines} lines of {MOST_LINES}")
    sys.exit(hops > MOST_HOPS or files > MOST_FILES or lines > MOST_LINES)


if __name__ == "__main__":
    main(sys.argv[1])
