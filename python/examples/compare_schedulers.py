#!/usr/bin/env python3
"""compare_schedulers.py - schedulers on a group of workloads, as a table of ratios.

usage: compare_schedulers.py [WORKLOAD|@GROUP...]     (default @first8)

SIZE=test|small|paper chooses their inputs, SCHEDS=lrr,gto,... the schedulers, DB=FILE keeps the runs. The cells that
begin with "# %%" are those of a notebook: editors such as VS Code and Spyder run them one by one.
"""
# %% The module beside this folder, unless it is installed elsewhere
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import heddle

workloads = sys.argv[1:] or ["@first8"]
scheds = os.environ.get("SCHEDS", "lrr,gto,two_level_active").split(",")
base = scheds[0]

# %% Simulate
# A run that the database holds is not simulated again, so this cell may be repeated.
runs = heddle.compare(workloads, sched=scheds, size=os.environ.get("SIZE"), db=os.environ.get("DB"))

# %% IPC divided by that of the first scheduler on the same workload
ratios = heddle.normalised(heddle.summary(runs), base=base)
print(heddle.text(ratios, ["workload", "sched", "cycles", "ipc", "relative", "verified"]))

# %% The same as a matrix: a row for each workload, a column for each scheduler
matrix = {}
for row in heddle.records(ratios):
    matrix.setdefault(row["workload"], {"workload": row["workload"]})[row["sched"]] = row["relative"]
for mean in ("arithmetic", "geometric"):
    matrix[mean] = {"workload": mean + " mean"}
    for row in heddle.records(heddle.means(ratios)):
        matrix[mean][row["sched"]] = row[mean]
print()
print(heddle.text(matrix.values()))
# With pandas, the first part is one line: ratios.pivot(index="workload", columns="sched", values="relative")
