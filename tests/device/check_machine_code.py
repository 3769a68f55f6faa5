"""Looks at the machine code of the kernels in machine_code.cu: check_machine_code.py NVCC NVDISASM ROOT CAPABILITY.

Each kernel for inputs of any size must have a main loop, the innermost one that loads or copies a tile, 16 bytes at once, from
global memory. It touches local memory only to hand arguments to a call, which ordinary items do not need. Nothing is spilled in
any kernel, those for few items among them. Stack frames are bounded.
"""

import re
import subprocess
import sys
import tempfile

# What tells the fold of a kernel, and the bytes of its stack frame. Where it is not 0, long integers are handed to
# functions for items that no window holds, and for the ending.
KERNELS = {
    "float32 sum": ("folds::sum<float", 352),
    "int32 sum": ("folds::sum<int", 0),
    "float32 min": ("folds::extreme_value<float", 0),
    "float32 argmin": ("folds::extreme_index<float", 0),
    "float32 variance": ("folds::spread<float", 2048),
}
LOAD = r"\b(LDG|LDGSTS)\.E\.(\w+\.)*128\b"
TILE = 4
LOCAL = r"\b(LDL|STL)\b"
CALL = r"\bCALL\b"


def run(*command, text=None):
    done = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stderr}")
    return done.stdout, done.stderr


def kernel_of(name):
    return next((kernel for kernel, (fold, _) in KERNELS.items() if "reduce_kernel<false" in name and fold in name), None)


def frames(report):
    """The bytes of each function's stack frame, spilled stores and spilled loads, by demangled name."""
    found = {}
    for name, frame, stores, loads in re.findall(
            r"Function properties for (.*)\n\s+(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", report):
        found[name] = int(frame), int(stores), int(loads)
    return found


def functions(listing):
    """The lines of each function, by name."""
    parts = re.split(r"^\s*\.section\s+\.text\.([^,\s]+).*$", listing, flags=re.MULTILINE)
    return {name: code.splitlines() for name, code in zip(parts[1::2], parts[2::2])}


def loops(lines):
    """The first and last line of every backward branch's loop, innermost first."""
    labels = {m[1]: at for at, line in enumerate(lines) if (m := re.match(r"\s*(\.L_x_\d+):", line))}
    found = []
    for at, line in enumerate(lines):
        target = re.search(r"\bBRA\b.*`\((\.L_x_\d+)\)", line)
        if target and labels.get(target[1], at) < at:
            found.append((labels[target[1]], at))
    return sorted(found, key=lambda loop: loop[1] - loop[0])


def leads_into_call(lines, at, last):
    """Whether every way on from a line comes to a call before the loop's last line."""
    labels = {m[1]: at for at, line in enumerate(lines) if (m := re.match(r"\s*(\.L_x_\d+):", line))}
    ahead, seen = [at], set()
    while ahead:
        at = ahead.pop()
        if at in seen or re.search(CALL, lines[at]):
            continue
        if at >= last:
            return False
        seen.add(at)
        branch = re.search(r"(@\S+\s+)?\bBRA(\.\w+)?\s+(.*)`\((\.L_x_\d+)\)", lines[at])
        if not branch or branch[1] or branch[2] or branch[3].strip():
            ahead.append(at + 1)
        if branch:
            ahead.append(labels[branch[4]])
    return True


def main(nvcc, nvdisasm, root, capability):
    with tempfile.TemporaryDirectory() as folder:
        cubin = f"{folder}/kernels.cubin"
        _, report = run(nvcc, "-std=c++20", "-O3", f"-arch=sm_{capability}", f"-I{root}/include",
                        "-cubin", "-Xptxas", "-v", f"{root}/tests/device/machine_code.cu", "-o", cubin)
        listing, _ = run(nvdisasm, "-c", cubin)
    errors = []
    report = run("c++filt", text=report)[0]
    for name, (frame, stores, loads) in frames(report).items():
        if stores or loads:
            errors.append(f"{name} spills {stores} bytes and reads {loads} of them")
        kernel = kernel_of(name)
        if kernel and frame > KERNELS[kernel][1]:
            errors.append(f"{kernel}: a stack frame of {frame} bytes, {KERNELS[kernel][1]} allowed")
    seen = set()
    for name, lines in functions(listing).items():
        kernel = kernel_of(run("c++filt", name)[0])
        if not kernel:
            continue
        seen.add(kernel)
        reading = [loop for loop in loops(lines) if sum(bool(re.search(LOAD, line)) for line in lines[loop[0]:loop[1]]) >= TILE]
        if not reading:
            errors.append(f"{kernel}: no loop loads {TILE} times 16 bytes")
            continue
        first, last = reading[0]
        loop = range(first, last + 1)
        wide = sum(bool(re.search(LOAD, lines[at])) for at in loop)
        local = [at for at in loop if re.search(LOCAL, lines[at])]
        print(f"{kernel}: {wide} loads of 16 bytes in the main loop, {len(local)} accesses to local memory for calls")
        if not all(leads_into_call(lines, at, last) for at in local):
            errors.append(f"{kernel}: the main loop touches local memory")
    errors += [f"{kernel}: no such kernel" for kernel in KERNELS.keys() - seen]
    sys.exit("\n".join(errors) or None)


if __name__ == "__main__":
    main(*sys.argv[1:])
