#!/usr/bin/env python3
# konata.py FILE [JSON]: checks that FILE is a recording of pipelines in the format "Kanata 0004", as
# its description defines it and as heddle promises to write it, and prints what is in it, a word and
# a number per line. With the JSON of the run, in which all SMs were recorded from beginning to end,
# it also checks that both count the same.
import json
import sys
from collections import Counter

FRONT = ["Fm", "F", "D", "B", "Is", "Oc", "Ds"]
BACK = ["X", "Xm", "Xs", "Xq", "X1", "Xn", "X2", "Xd", "Xr", "Wb"]
WAITS = ["path", "bar", "fence", "atom", "copy", "kids", "held", "mem", "reg", "oth", "pipe", "pol", "ref"]
FIELDS = {"C": 2, "I": 4, "L": 4, "S": 4, "E": 4, "R": 4, "W": 4}
NEXT = {  # the stages that may follow one
    "Fm": ["F"], "F": ["D"], "D": ["B", "Is"], "B": ["Is"], "Is": ["Oc"], "Oc": ["Ds", "Xm", "Xs"],  # the load/store unit may take it at once
   
    "Ds": ["X", "Xm", "Xs"], "X": ["Wb"], "Xs": ["Wb"], "Xq": ["X1", "Xn", "X2", "Xd", "Xr", "Wb"],
    "Xm": ["Xq", "X1", "Xn", "X2", "Xd", "Xr", "Wb"], "X1": ["Xn", "X2", "Xd", "Xr", "Wb"],
    "Xn": ["X2", "Xd", "Xr", "Wb"], "X2": ["X1", "Xn", "Xd", "Xr", "Wb"],
    "Xd": ["X1", "Xn", "X2", "Xr", "Wb"], "Xr": ["X1", "Xn", "X2", "Xd", "Wb"], "Wb": []}


class Insn:
    def __init__(self, cycle, thread):
        self.begun, self.thread, self.ended = cycle, thread, None
        self.open = {}  # by lane: stage, cycle
        self.stages, self.last_end = [], cycle
        self.text = ["", ""]


def check(path):
    insns, found = {}, Counter()
    cycle, number, retired = None, 0, 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            def need(true, why):
                if not true:
                    sys.exit(f"{path}:{number}: {why}: {line!r}")
            need(line.endswith("\n"), "a line without an end")
            f = line[:-1].split("\t")
            if number == 1:
                need(f == ["Kanata", "0004"], "the header")
                continue
            if number == 2:
                need(f[0] == "C=" and len(f) == 2, "no first cycle")
                cycle = found["first"] = int(f[1])
                continue
            need(len(f) == FIELDS.get(f[0], 0), "no such command, or not its fields")
            if f[0] == "C":
                need(int(f[1]) > 0, "time stands still or goes backwards")
                cycle += int(f[1])
                continue
            i = int(f[1])
            if f[0] == "I":
                need(i == len(insns), "the identifier is not the next one")
                insns[i] = Insn(cycle, int(f[3]))
                continue
            need(i in insns, "an instruction that was not introduced")
            n = insns[i]
            need(n.ended is None, "an instruction that has ended")
            if f[0] == "L":
                need(f[2] in "01", "the kind of text")
                n.text[int(f[2])] += f[3]
            elif f[0] == "S":
                lane, stage = int(f[2]), f[3]
                need(lane not in n.open, "a stage begins before the last one ended")
                need(stage in (WAITS if lane else FRONT + BACK), "an unknown stage")
                if not lane:
                    need(cycle == n.last_end, "a gap between two stages")
                    if n.stages:
                        need(stage in NEXT[n.stages[-1][0]], f"after {n.stages[-1][0]}")
                    n.stages.append((stage, cycle))
                n.open[lane] = (stage, cycle)
                found[("wait " if lane else "stage ") + stage] += 1
            elif f[0] == "E":
                lane = int(f[2])
                need(lane in n.open and n.open[lane][0] == f[3], "the end of a stage that is not open")
                need(cycle > n.open[lane][1] or f[3] in ("B", "Is"), "a stage of no cycle")
                del n.open[lane]
                if not lane:
                    n.last_end = cycle
            elif f[0] == "R":
                need(not n.open, "a stage is still open")
                need(int(f[2]) == retired, "the number of its retirement")
                need(f[3] in "01", "retired or flushed")
                n.ended = cycle
                if f[3] == "0":
                    names = [s for s, _ in n.stages]
                    need(names.count("Is") == names.count("Oc") == 1 and len(names) > 3, "retired too early")
                    retired += 1
                else:
                    found["cut" if "ended here" in n.text[1] else "flushed"] += 1
            elif f[0] == "W":
                need(int(f[2]) in insns and f[2] != f[1] and f[3] == "0", "a dependence")
                need("Is" in [s for s, _ in n.stages], "a dependence before the issue")
                found["dependences"] += 1
    for i, n in insns.items():
        if n.ended is None:
            sys.exit(f"{path}: instruction {i} never ends")
        if not n.text[0] or not n.text[1].startswith("kernel "):
            sys.exit(f"{path}: instruction {i} has no text")
    found["instructions"], found["retired"] = len(insns), retired
    return found, insns


def main():
    found, _ = check(sys.argv[1])
    if len(sys.argv) > 2:
        run = json.load(open(sys.argv[2], encoding="utf-8"))
        issued = sum(k["stalls"]["issued"] for k in run["kernels"])
        retired = sum(k["warp_insts"] for k in run["kernels"])
        if (found["stage Is"], found["retired"]) != (issued, retired):
            sys.exit(f"issued, retired: {found['stage Is']}, {found['retired']}; "
                     f"the JSON says {issued}, {retired}")
        if found["cut"]:
            sys.exit(f"{found['cut']} instructions did not end")
    for word in sorted(found):
        print(word, found[word])


if __name__ == "__main__":
    main()
