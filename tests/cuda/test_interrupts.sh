#!/usr/bin/env bash
# test_interrupts.sh - heddle exec told to end, and killed: results so far are written and marked, and
# no program runs on, wherever it stands and whatever it does with signals. A full disk is reported.
set -u
. tests/shared/cases.sh
. tests/shared/programs.sh

ok "a program that does not end builds" gcc -std=c11 -D_GNU_SOURCE -O1 "${san[@]}" -Isrc \
    -o "$work/endless" tests/cuda/programs/endless.c "$library" -pthread

# Starts the words, waits for "ready", sends the signal to heddle alone (to the whole group if it is
# that of a terminal), says the exit status and whether all of it was over in time.
cat >"$work/after.py" <<'END'
import os, pty, signal, subprocess, sys, time
name, seconds, words = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
terminal = name == "^C"
def plain():
    for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(n, signal.SIG_DFL)
master, stdin = pty.openpty() if terminal else (None, subprocess.PIPE)
def front():
    plain()
    if terminal:
        os.setsid()
        import fcntl, termios
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
p = subprocess.Popen(words, stdin=stdin, stdout=subprocess.PIPE, preexec_fn=front, text=True)
line = p.stdout.readline()
assert line.startswith("ready"), line
program = int(line.split()[1])
time.sleep(0.3)
start = time.monotonic()
if terminal:
    os.write(master, b"\x03")
else:
    p.send_signal(getattr(signal, name))
try:
    status = p.wait(30)
except subprocess.TimeoutExpired:
    p.kill()
    status = "late"
try:
    sys.stdout.write(p.stdout.read() if status != "late" else "")
finally:
    took = time.monotonic() - start
for i in range(100):
    try:
        state = open("/proc/%d/stat" % program).read().rsplit(")", 1)[1].split()[0]
    except OSError:
        break
    if state == "Z":
        break
    time.sleep(0.1)
else:
    os.kill(program, 9)
    print("the program runs on")
print("status", status, "in time" if took < seconds else "after %.1f s" % took)
END
after() { # SIGNAL SECONDS WORD...
    python3 "$work/after.py" "$@"
}

results() { # FILE: of an interrupted program
    python3 - "$1" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
assert r["status"] == "interrupted", r["status"]
assert r["kernels"][0]["warp_insts"] > 30, r["kernels"][0]
END
}
both() { # NAME STATUS SIGNAL PLACE MANNER [WORD]: the table and the results
    local name=$1 status=$2 signal=$3
    shift 3
    case_is "$name" 0 "out:status $status in time" "no:runs on" "err:interrupted" "err:spin" -- \
        after "$signal" 9 "$heddle" exec --json "$work/r.json" "$work/endless" "$@"
    ok "$name: results" results "$work/r.json"
    rm -f "$work/r.json"
}
both "SIGTERM in a long kernel" 143 SIGTERM kernel plain
both "SIGINT in a long kernel" 130 SIGINT kernel plain
both "SIGHUP in a long kernel" 129 SIGHUP kernel plain
both "Ctrl-C in a long kernel" 130 ^C kernel plain
both "a long kernel, signals ignored" 143 SIGTERM kernel ignore
both "a long kernel, signals blocked" 130 SIGINT kernel block
both "a long kernel, signals handled" 8 SIGTERM kernel count
both "a long kernel, exit() in a handler" 9 SIGTERM kernel exit
both "SIGTERM in a loop of the host's" 143 SIGTERM host plain
both "Ctrl-C in a loop of the host's" 130 ^C host plain
both "a loop of the host's, signals ignored" 130 SIGINT host ignore
both "a loop of the host's, signals handled" 8 SIGTERM host count
both "a program that waits for input" 143 SIGTERM read plain
both "a process of the program's" 143 SIGTERM kernel plain child
both "Ctrl-C with a process of the program's" 130 ^C kernel plain child
both "a process of the program's that ignores signals" 143 SIGTERM kernel ignore child
# Standard error takes nothing for longer than heddle waits for a program, as where many others write.
cat >"$work/slow.py" <<'END'
import os, signal, subprocess, sys, time
r, w = os.pipe()
os.set_blocking(w, False)
try:
    while True:
        os.write(w, b" " * 4096)
except BlockingIOError:
    os.set_blocking(w, True)
p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=w, text=True)
os.close(w)
assert p.stdout.readline().startswith("ready")
time.sleep(0.3)
p.send_signal(signal.SIGTERM)
time.sleep(14)
text = b""
while more := os.read(r, 65536):
    text += more
print(text.decode().strip())
print("status", p.wait())
END
case_is "results that take long to write" 0 "out:status 143" "out:interrupted" "out:spin" "no:did not" -- \
    python3 "$work/slow.py" "$heddle" exec "$work/endless" kernel plain
case_is "what the program printed" 0 "out:this was said later" -- \
    after SIGTERM 9 "$heddle" exec --quiet "$work/endless" host plain
case_is "without timing" 0 "out:status 143 in time" "err:interrupted" -- \
    after SIGTERM 9 "$heddle" exec --functional-only "$work/endless" kernel plain
case_is "a program without a GPU that ignores signals" 0 "out:status 143 in time" "err:was killed" -- \
    after SIGTERM 20 "$heddle" exec sh -c 'trap "" TERM; echo ready $$; sleep 100; sleep 100'
case_is "the timeline and the database" 0 "out:status 143 in time" -- after SIGTERM 9 "$heddle" exec \
    --timeline "$work/t.json" --db "$work/s.db" "$work/endless" kernel plain
ok "the timeline says so" python3 -c '
import json, sys
assert json.load(open(sys.argv[1]))["otherData"]["status"] == "interrupted"' "$work/t.json"
case_is "the database too" 0 "out:interrupted" -- "$heddle" show "$work/s.db"

case_is "heddle is killed: a long kernel" 0 "no:runs on" "out:status -9" -- \
    after SIGKILL 20 "$heddle" exec --quiet "$work/endless" kernel ignore
case_is "heddle is killed: the host" 0 "no:runs on" -- \
    after SIGKILL 20 "$heddle" exec --quiet "$work/endless" host ignore
case_is "heddle is killed: a process of the program's" 0 "no:runs on" -- \
    after SIGKILL 20 "$heddle" exec --quiet "$work/endless" kernel ignore child

# Those that the program leaves behind when it ends by itself may go on.
left() {
    "$heddle" exec --quiet sh -c "'$work/endless' host plain >'$work/left' & sleep 2" || return 1
    local pid
    pid=$(sed -n 's/^ready //p' "$work/left")
    sleep 0.5
    kill -0 "$pid" && kill -9 "$pid"
}
ok "a process in the background stays" left

gcc -std=c11 -O1 "${san[@]}" -o "$work/vecadd" tests/cuda/programs/vecadd.c "$library"
for output in json timeline record; do
    case_is "a full disk: exec --$output" 2 "out:1000 sums" "err:No space left" -- \
        "$heddle" exec --quiet "--$output" /dev/full "$work/vecadd"
    case_is "a full disk: run --$output" 2 "err:No space left" -- \
        "$heddle" run vecadd --quiet "--$output" /dev/full
done
for output in json csv html; do
    case_is "a full disk: compare --$output" 2 "err:No space left" -- \
        "$heddle" compare vecadd --sched lrr,gto --quiet "--$output" /dev/full
done
if command -v gnuplot >/dev/null; then
    mkdir "$work/plots"
    "$heddle" compare vecadd --sched lrr,gto --quiet --plot "$work/plots/p.svg" >/dev/null 2>&1
    for file in "$work/plots"/*.svg; do
        ln -sf /dev/full "$file"
    done
    case_is "a full disk: compare --plot" 2 "err:No space left" -- \
        "$heddle" compare vecadd --sched lrr,gto --quiet --plot "$work/plots/p.svg"
else
    skip "a full disk: compare --plot" "no gnuplot"
fi
case_is "a full disk: run --csv" 2 "err:No space left" -- "$heddle" run vecadd --quiet --csv /dev/full
full_output() { "$@" >/dev/full; }
case_is "a full disk: run's table" 2 "err:No space left" -- full_output "$heddle" run vecadd
case_is "a full disk: compare's table" 2 "err:No space left" -- \
    full_output "$heddle" compare vecadd --sched lrr,gto
full_errors() { "$@" 2>/dev/full; }
case_is "a full disk: exec's table" 2 "out:1000 sums" -- full_errors "$heddle" exec "$work/vecadd"
case_is "a full disk: exec --json -" 2 "err:standard output" -- \
    full_output "$heddle" exec --quiet --json - "$work/vecadd"
finish
