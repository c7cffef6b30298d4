#!/usr/bin/env bash
# Machine files of a user's own: which memory they have, what they include, sizes of caches, and what
# becomes of a line size.
. tests/shared/cases.sh

mkdir "$work/far"
printf 'include = gtx480.ini\n\n[sm]\nsms = 15\n' >"$work/far/mine.ini"
: >"$work/empty.ini"
printf '[sm]\nsms = 15\n' >"$work/bare.ini"
printf -- '# GPGPU-Sim\n-gpgpu_ptx_sim_mode 0\n-gpgpu_n_clusters 15\n' >"$work/gpgpusim.config"

case_is "heddle's own machine included from elsewhere" 0 "out:13,303" -- \
    "$heddle" run vecadd --gpu "$work/far/mine.ini"
for name in empty bare; do
    case_is "a machine without memory: $name" 2 \
        "err:$name.ini: error: this machine has no memory: nothing sets gpu.memory; 'include = gtx480.ini'" -- \
        "$heddle" run vecadd --gpu "$work/$name.ini"
done
case_is "its memory on the command line" 0 "out:13,303" -- \
    "$heddle" run vecadd --gpu "$work/empty.ini" --set gpu.memory=crossbar
case_is "the same in a comparison" 2 "err:nothing sets gpu.memory" -- \
    "$heddle" compare vecadd --sched lrr,gto --gpu "gtx480,$work/bare.ini"
printf '[sm]\nsms = 2\ninclude = gtx480.ini\n' >"$work/late.ini"
case_is "an include inside a section" 2 "err:late.ini:3: error: section [sm] has no parameter 'include'; 'include = FILE' stands at the top" -- \
    "$heddle" run vecadd --gpu "$work/late.ini"
printf 'include = gpgpusim.config\n' >"$work/includes.ini"
case_is "a configuration of GPGPU-Sim is included" 2 \
    "err:gpgpusim.config: error: this is a configuration of GPGPU-Sim" "err:heddle gpu convert FILE" -- \
    "$heddle" run vecadd --gpu "$work/includes.ini"
cp "$work/far/mine.ini" "$work/mine"
case_is "a machine file without the ending" 2 "err:did you mean the file ./mine?" -- \
    env -C "$work" "$(realpath "$heddle")" run vecadd --gpu mine

case_is "the number of SMs by another section" 2 "err:did you mean sm.sms?" -- \
    "$heddle" run vecadd --set gpu.sms=4
case_is "registers by another word" 2 "err:did you mean sm.registers?" -- \
    "$heddle" run vecadd --set sm.regs=4
case_is "a cache by its size" 0 "out:vecadd" -- \
    "$heddle" run vecadd --set l1d.size=8K --json "$work/size.json" --no-host
"$heddle" run vecadd --set l1d.sets=16 --json "$work/sets.json" --no-host >/dev/null
sed -i '/^ "set": /d' "$work/sets.json" "$work/size.json"
same "is the cache of so many sets" "$work/sets.json" "$work/size.json"
case_is "a size that no cache has" 2 "err:l1d.size: 20480 bytes" "err:l1d.ways=5 it is 32 sets" -- \
    "$heddle" run vecadd --set l1d.size=20K
case_is "a size is explained" 0 "out:machine key l2.size, in bytes: the whole L2, all its banks" -- \
    "$heddle" explain l2.size

case_is "a file is explained" 0 "out:sm.sms" "out:15" -- "$heddle" explain "$work/far/mine.ini"

# Each lane reads a word of its own out of 128 bytes of constants; the parameter is a line more.
cat >"$work/words.ptx" <<'PTX'
.version 4.0
.target sm_20
.address_size 64
.const .align 128 .b32 table[32];
.visible .entry words(.param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    mov.u64 %rd3, table;
    add.u64 %rd3, %rd3, %rd2;
    ld.const.u32 %r2, [%rd3];
    add.u64 %rd4, %rd1, %rd2;
    st.global.u32 [%rd4], %r2;
    ret;
}
PTX
printf 'ptx words.ptx\nbuf out 128 zero\nlaunch words 1 1 1 32 1 1 0 p:out\n' >"$work/words.job"
lines() { # LINE ACCESSES: every line of the constants is fetched once
    local json=$work/line.json
    "$heddle" run "$work/words.job" --set "l1c.line=$1" --json "$json" --quiet || return 1
    python3 -c 'import json, sys
cache = json.load(open(sys.argv[1]))["kernels"][0]["l1c"]
print(cache)
assert cache["accesses"] - cache["misses"] == 0 and cache["misses"] == int(sys.argv[2])' "$json" "$2"
}
ok "constants in lines of 32 bytes: four and the parameter's" lines 32 5
ok "in lines of 64 bytes" lines 64 3
ok "in lines of 128 bytes" lines 128 2
finish
