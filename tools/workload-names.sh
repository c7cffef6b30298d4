#!/usr/bin/env bash
# workload-names.sh [--static | --dynamic | --folders] - the names of the workloads, one a line, from
# their host.c: all of them, those whose kernels launch no kernels, or the others. With --folders, each
# is followed by its folder.
cd "$(dirname "$0")/.." || exit 2
awk -v which="${1:-}" '
    FNR == 1 { split(FILENAME, path, "/"); name = "" }
    sub(/^const struct hd_workload hd_workload_/, "") { name = $1; dynamic = 0 }
    name && /^ *\.dynamic = true,/ { dynamic = 1 }
    name && /^};/ {
        if (which == "--folders")
            print name, path[2]
        else if (which == "" || which == (dynamic ? "--dynamic" : "--static"))
            print name
        name = ""
    }' workloads/*/host.c
