#!/usr/bin/env python3
"""stall_classes.py - where the schedulers' cycles go, over workloads: from a study, or simulated here.

usage: stall_classes.py [STUDY.db | WORKLOAD|@GROUP...]     (default @first8)

SIZE=test|small|paper chooses the inputs of workloads, SCHED the scheduler.
"""
# %% The module beside this folder, unless it is installed elsewhere
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import heddle

words = sys.argv[1:] or ["@first8"]

# %% The runs: those of a file, or new ones
if words[0].endswith(".db"):
    with heddle.Study(words[0]) as study:
        runs = list(study)
else:
    runs = heddle.compare(words, sched=os.environ.get("SCHED", "gto"), size=os.environ.get("SIZE"))

# %% Shares of the schedulers' cycles: every cycle is in exactly one class
shares = heddle.records(heddle.stalls(runs))
for row in shares:
    if row["issued"] is not None:  # a run without timing has no cycles
        row["sum"] = sum(row[name] for name in ("issued", "idle", "scoreboard", "pipeline", "inactive"))
print(heddle.text(shares))

# %% The class that costs most
print()
for row in shares:
    lost = {name: row[name] for name in ("idle", "scoreboard", "pipeline", "inactive")}
    if row["issued"] is not None:
        worst = max(lost, key=lost.get)
        print("%-24s %-12s loses most to %-10s %4.1f %%" % (row["workload"], row["sched"], worst, 100 * lost[worst]))
# With pandas and matplotlib, a figure of all of it:
#   heddle.stalls(runs).set_index("workload")[["issued", "idle", "scoreboard", "pipeline", "inactive"]].plot.barh(stacked=True)
