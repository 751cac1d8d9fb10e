"""Computes the differences of runs with SciPy and compares them with ours."""

import json
import sys

import numpy as np
from scipy import stats

cases = json.load(open(sys.argv[1], encoding="utf-8"))
for case in cases:
    name, ours = case["name"], case["ours"]
    a, b = np.array(case["baseline"]), np.array(case["candidate"])
    d = np.log(b / a) if case["ratio"] else b - a
    n = len(d)
    if 30 <= n <= 5000:
        assert ours["Method"] == "bootstrap", (name, ours)
        found = stats.bootstrap(
            (d,), np.mean, n_resamples=20_000, method="BCa", vectorized=True, batch=500,
            rng=np.random.default_rng(1),
        ).confidence_interval
        # Where few values are possible, means are too: bounds may fall on one or on its neighbour.
        tolerance = max(0.03 * (found.high - found.low), 1.01 * case["step"] / n)
    else:
        assert ours["Method"] == "paired-t", (name, ours)
        found = stats.ttest_rel(b, a) if not case["ratio"] else stats.ttest_1samp(d, 0)
        found = found.confidence_interval(0.95)
        tolerance = 1e-9
    low, high, estimate = ours["Low"], ours["High"], ours["Estimate"]
    if case["ratio"]:
        low, high, estimate = np.log(low), np.log(high), np.log(estimate)
    assert abs(estimate - d.mean()) < 1e-9, (name, estimate, d.mean())
    assert abs(low - found.low) <= tolerance, (name, low, found, tolerance)
    assert abs(high - found.high) <= tolerance, (name, high, found, tolerance)
    up, down = int((d > 0).sum()), int((d < 0).sum())
    assert (ours["Improved"], ours["Regressed"]) == (up, down), (name, ours, up, down)
    p = stats.binomtest(up, up + down).pvalue if up + down else 1
    assert abs(ours["SignP"] - p) < 1e-9, (name, ours["SignP"], p)
print("ok")
