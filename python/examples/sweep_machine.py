#!/usr/bin/env python3
"""sweep_machine.py - what a key of the machine does to workloads, value by value.

usage: sweep_machine.py [KEY VALUE,VALUE,... [WORKLOAD|@GROUP...]]     (default l1d.ways 1,2,4,8 on @first8)

The first value is the base. SIZE=test|small|paper chooses their inputs, SCHED the scheduler, DB=FILE keeps the runs.
"""
# %% The module beside this folder, unless it is installed elsewhere
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import heddle

key = sys.argv[1] if len(sys.argv) > 1 else "l1d.ways"
values = (sys.argv[2] if len(sys.argv) > 2 else "1,2,4,8").split(",")
workloads = sys.argv[3:] or ["@first8"]

# %% Simulate: a machine for each value, on which everything else is the same
runs = heddle.compare(workloads, sched=os.environ.get("SCHED", "gto"), set={key: values},
                      size=os.environ.get("SIZE"), db=os.environ.get("DB"))

# %% Each machine beside the first
# `set` names the machine; the runs to compare differ in nothing else, so it is no column of `by`.
rows = []
for run in runs:
    l1d = {name: run.counter("l1d_" + name) for name in ("accesses", "misses")}
    rows.append({"workload": run["workload"], "size": run.get("size"), key: run["set"].partition("=")[2],
                 "cycles": run.cycles, "ipc": run.ipc,
                 "l1d miss rate": l1d["misses"] / l1d["accesses"] if l1d["accesses"] else None})
table = heddle.normalised(rows, base=values[0], of=key, by=("workload", "size"))
print(heddle.text(table))

# %% Over all workloads
print()
print(heddle.text(heddle.means(table, by=key)))

# %% That the machines differ in this key alone can be seen in the options that every result carries
print()
print(heddle.text(heddle.options(runs)[:len(values)]))
