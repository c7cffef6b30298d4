# shellcheck shell=bash
# slurm.sh - a cluster of one node on the loopback address, of the distribution's own daemons, for tests.
#
#   . tests/shared/slurm.sh
#   slurm_missing            the package that is missing, or nothing
#   slurm_start              munged, slurmctld and slurmd; sets SLURM_CONF
#   slurm_kill9 slurmd       kill -9 of that daemon;  slurm_daemon slurmd  starts it again
#   slurm_stop               end what was started
slurm_missing() {
    local program
    for program in munged:munge slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client; do
        PATH=$PATH:/usr/sbin command -v "${program%:*}" >/dev/null || { echo "no ${program%:*} (package ${program#*:})" && return; }
    done
}

slurm_ports() { # two free ones
    /usr/bin/python3 -c 'import socket
s = [socket.socket() for i in range(2)]
for x in s: x.bind(("127.0.0.1", 0))
print(*(x.getsockname()[1] for x in s))'
}

slurm_daemon() { # start one of them, in the background of this shell
    local log=$slurm_at/$1.log
    case $1 in
    munged) exec munged --foreground --force --key-file="$slurm_at/munge.key" --socket="$slurm_at/munge.socket" \
        --pid-file="$slurm_at/munged.pid" --log-file="$slurm_at/munged.log" --seed-file="$slurm_at/munge.seed" ;;
    slurmctld) exec slurmctld -D -f "$SLURM_CONF" -L "$log" ;;
    slurmd) exec slurmd -D -f "$SLURM_CONF" -N node -L "$log" ;;
    esac >>"$slurm_at/$1.out" 2>&1 &
    slurm_pid[$1]=$!
}

declare -A slurm_pid
slurm_start() {
    local ports i
    slurm_at=$(mktemp -d /tmp/hs.XXXXXX) # short: sockets have names of at most 108 bytes
    PATH=$PATH:/usr/sbin
    export SLURM_CONF=$slurm_at/slurm.conf
    mkdir -p "$slurm_at/state" "$slurm_at/spool"
    read -r -a ports <<<"$(slurm_ports)"
    (umask 077 && head -c 1024 /dev/urandom >"$slurm_at/munge.key")
    cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmdPort=${ports[1]}
AuthType=auth/munge
AuthInfo=socket=$slurm_at/munge.socket
CryptoType=crypto/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$slurm_at/state
SlurmdSpoolDir=$slurm_at/spool
SlurmctldPidFile=$slurm_at/slurmctld.pid
SlurmdPidFile=$slurm_at/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,sched_interval=1
ReturnToService=2
KillWait=2
SlurmdTimeout=30
MinJobAge=2
NodeName=node NodeAddr=127.0.0.1 CPUs=3 State=UNKNOWN
PartitionName=long Nodes=node Default=YES MaxTime=INFINITE State=UP
CONF
    slurm_daemon munged
    for i in $(seq 100); do [ -S "$slurm_at/munge.socket" ] && break; sleep 0.1; done
    slurm_daemon slurmctld
    slurm_daemon slurmd
    for i in $(seq 300); do
        [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && return 0
        sleep 0.1
    done
    for i in "$slurm_at"/*.log "$slurm_at"/*.out; do echo "$i:" && tail -n 5 "$i"; done
    return 1
}

slurm_kill9() {
    kill -KILL "${slurm_pid[$1]}"
    wait "${slurm_pid[$1]}" 2>/dev/null
}

slurm_stop() {
    local name
    [ -n "${slurm_at:-}" ] || return 0
    scancel --user="$(id -un)" >/dev/null 2>&1
    for name in slurmd slurmctld munged; do
        [ -n "${slurm_pid[$name]:-}" ] && kill "${slurm_pid[$name]}" 2>/dev/null
        [ -n "${slurm_pid[$name]:-}" ] && wait "${slurm_pid[$name]}" 2>/dev/null
    done
    rm -rf "$slurm_at"
    return 0
}
