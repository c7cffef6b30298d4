#!/usr/bin/env bash
# heddle run --stats gpgpusim: what scripts for GPGPU-Sim look for is found by their own kind of
# regular expressions, with our values; what is not modelled is not there.
. tests/shared/cases.sh
[ -x /usr/bin/python3 ] || {
    echo "no /usr/bin/python3"
    exit 77
}

case_is "in place of the table" 0 "out:gpu_sim_cycle = " "no:KERNEL" "no:verified" -- \
    "$heddle" run vecadd --stats gpgpusim
"$heddle" run jacobi --stats gpgpusim --json "$work/jacobi.json" >"$work/jacobi"
"$heddle" run jacobi --stats gpgpusim --gpu debug-flatmem --no-host >"$work/flat"
printf 'ptx %s\n%s\n' "$data/kernels.ptx" "launch stuck 1 1 1 32 1 1 0" >"$work/stuck.job"
"$heddle" run "$work/stuck.job" --stats gpgpusim >"$work/stuck" 2>"$work/talk"

# The expressions of Accel-Sim's util/job_launching/stats/example_stats.yml for what we have, and
# get_stats.py's way: the last match before the next kernel_name counts for a kernel.
found() {
    /usr/bin/python3 -c 'import json, re, sys
text, run = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
parts = re.split(r"(?=^kernel_name\s+=)", text, flags=re.M)
assert parts[0] == "" and len(parts) - 1 == len(run["kernels"]) == 6
sums = {}
def add(key, n):
    sums[key] = sums.get(key, 0) + n
    return sums[key]
for i, (part, k) in enumerate(zip(parts[1:], run["kernels"])):
    def get(expression):
        hit = re.findall(expression, part, re.M)
        assert len(hit) == 1, (expression, hit)
        return hit[0].strip()
    def cache(name, key):
        c = k[key]
        n = {f: add(key + f, c[f]) for f in c if c[f] is not None}
        tab = "" if name == "L2" else r"\t"
        assert get("^" + tab + name + r"_total_cache_accesses\s*=\s*(.*)") == str(n["accesses"])
        assert get("^" + tab + name + r"_total_cache_misses\s*=\s*(.*)") == str(n["misses"])
        rate = get("^" + tab + name + r"_total_cache_miss_rate\s*=\s*(.*)")
        assert rate == "%.4f" % (n["misses"] / n["accesses"])
        fails = get("^" + tab + name + r"_total_cache_reservation_fails\s*=\s*(.*)")
        assert fails == str(n["reservation_fails"])
        if c["pending"] is None:
            assert name + "_total_cache_pending_hits" not in part
        else:
            pending = get("^" + tab + name + r"_total_cache_pending_hits\s*=\s*(.*)")
            assert pending == str(n["pending"])
    cycles, insts = add("cycles", k["cycles"]), add("insts", k["thread_insts"])
    assert get(r"^kernel_name\s+=\s+(.*)") == "jacobi"
    assert get(r"^kernel_launch_uid\s+=\s+(.*)") == str(i + 1)
    assert get(r"gpu_sim_cycle\s*=\s*(.*)") == str(k["cycles"])
    assert get(r"gpu_sim_insn\s*=\s*(.*)") == str(k["thread_insts"])
    assert get(r"gpu_ipc\s*=\s*(.*)") == "%.4f" % (k["thread_insts"] / k["cycles"])
    assert get(r"gpu_tot_sim_cycle\s*=\s*(.*)") == str(cycles)
    assert get(r"gpu_tot_sim_insn\s*=\s*(.*)") == str(insts)
    assert get(r"gpu_tot_ipc\s*=\s*(.*)") == "%.4f" % (insts / cycles)
    assert get(r"gpu_tot_issued_cta\s*=\s*(.*)") == str(36 * (i + 1))
    assert get(r"gpgpu_n_tot_w_icount\s*=\s*(.*)") == str(add("warp", k["warp_insts"]))
    assert get(r"total dram reads\s*=\s*(.*)") == str(add("reads", k["dram"]["reads"]))
    assert get(r"total dram writes\s*=\s*(.*)") == str(add("writes", k["dram"]["writes"]))
    stall, idle, score = re.search(r"^Stall:(\d+)\tW0_Idle:(\d+)\tW0_Scoreboard:(\d+)", part,
                                   re.M).groups()
    assert int(stall) == add("pipeline", k["stalls"]["pipeline"])
    assert int(idle) == add("idle", k["stalls"]["idle"])
    assert int(score) == add("scoreboard", k["stalls"]["scoreboard"])
    for name in "L1I", "L1D", "L1C", "L2":
        cache(name, name.lower())
    assert get(r"^\tL1T_total_cache_accesses\s*=\s*(.*)") == "0" # and no rate of nothing
    assert "L1T_total_cache_miss_rate" not in part
assert re.search(r"gpgpu_simulation_time\s*=.*\(([0-9]+) sec\).*", text)
assert float(re.search(r"gpgpu_simulation_rate\s+=\s+(.*)\s+\(inst\/sec\)", text).group(1)) > 0
assert re.search(r"gpgpu_simulation_rate\s+=\s+(.*)\s+\(cycle\/sec\)", text)
assert re.search(r"GPGPU-Sim: \*\*\* exit detected \*\*\*\n\Z", text)' "$work/jacobi" "$work/jacobi.json"
}
ok "every name, every value" found
together() { # kernels that launch kernels: cycles in which several run count once
    "$HEDDLE" run dp_bfs_small --size test --gpu laser --stats gpgpusim --json "$work/children.json" >"$work/children" &&
        python3 -c '
import json, re, sys
run = json.load(open(sys.argv[2]))
ran, until = 0, 0
for start, cycles in sorted((k["start_cycle"], k["cycles"]) for k in run["kernels"]):
    ran += max(0, start + cycles - max(start, until))
    until = max(until, start + cycles)
total = int(re.findall(r"gpu_tot_sim_cycle = (.*)", open(sys.argv[1]).read())[-1])
assert total == ran < run["totals"]["cycles"], (total, ran, run["totals"])
assert total <= run["totals"]["elapsed_cycles"]' "$work/children" "$work/children.json"
}
ok "kernels that run at the same time" together

# Every name printed is one of these, so that nobody adds one without thinking of its meaning.
known='kernel_name|kernel_launch_uid|gpu(_tot)?_sim_(cycle|insn)|gpu(_tot)?_ipc|gpu_tot_issued_cta'
known+='|	?(L1I|L1D|L1C|L1T|L2)_total_cache_(accesses|misses|miss_rate|pending_hits|reservation_fails)'
known+='|gpgpu_n_tot_w_icount|total dram (reads|writes)|gpgpu_simulation_(time|rate)'
known_only() { ! grep ' = ' "$1" | grep -Ev "^($known) = "; }
ok "no other names" known_only "$work/jacobi"
lacks() { ! grep -E "$2" "$1"; }
ok "no host times with --no-host" lacks "$work/flat" 'gpgpu_simulation'
ok "no names of parts that the machine lacks" lacks "$work/flat" 'L1D|L1C|L1T|L2|dram'
ok "the end is marked without host times too" grep -qF 'GPGPU-Sim: *** exit detected ***' "$work/flat"
ok "no end mark after a deadlock" lacks "$work/stuck" 'exit detected'
ok "no block counts after a deadlock" lacks "$work/stuck" 'issued_cta'
ok "cycles after a deadlock" grep -q '^gpu_sim_cycle = ' "$work/stuck"
finish
