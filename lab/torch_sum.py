"""PyTorch's sum by the method of `warpfold lab bench`, as rows for its --peers: lab/torch_sum.py > rows.json."""

import json
import statistics

import torch

FLUSH = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")


def cold(call, runs):
    times = []
    for i in range(runs):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        FLUSH.fill_(i % 256)
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(1e3 * begin.elapsed_time(end))
    return sorted(times)


def back_to_back(call, runs):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(runs):
        call()
    end.record()
    end.synchronize()
    return 1e3 * begin.elapsed_time(end) / runs


def row(name, kind, x, **options):
    runs = 31
    def call():
        return torch.sum(x, **options)
    found = call()
    times = cold(call, runs)
    exact = torch.sum(x, dtype=torch.float64 if x.is_floating_point() else torch.int64)
    ulp = torch.finfo(torch.float32).eps * max(1.0, abs(float(exact))) if x.is_floating_point() else 1
    return {"id": name, "type": kind, "items": x.numel(), "blocks": 0, "threads": 0, "us": round(times[runs // 2], 3),
            "lower_us": round(times[runs // 4], 3), "upper_us": round(times[-1 - runs // 4], 3),
            "back_to_back_us": round(statistics.median(back_to_back(call, 200) for _ in range(3)), 3), "runs": runs,
            "ulps": round(abs(float(found) - float(exact)) / ulp, 3), "bound_ulps": 64.0 if x.is_floating_point() else 0,
            "note": f"torch {torch.__version__}, result {found.dtype}".replace("torch.", "")}


def main():
    torch.manual_seed(1)
    rows = []
    for power in range(16, 26):
        n = 1 << power
        rows.append(row("A-torch", "f32", torch.rand(n, device="cuda") * 3 - 1))
        x = torch.randint(-30, 31, (n,), dtype=torch.int32, device="cuda")
        rows.append(row("A-torch", "i32", x))
        rows.append(row("A-torch, int32", "i32", x, dtype=torch.int32))
    print('{"rows": [\n ' + ",\n ".join(map(json.dumps, rows)) + "\n]}")


main()
