#!/usr/bin/env bash
# test_turns.sh - warps and blocks that wait for each other, with and without timing: flags, global
# barriers, locks, chains. Both give the same bytes, or say the same about a wait that cannot end.
. tests/shared/cases.sh

cat >"$work/turns.ptx" <<'END'
.version 6.4
.target sm_75
.address_size 64

// Warp 0 and warp 1 hand numbers to each other, through two words of shared memory and no barrier.
.visible .entry pingpong(.param .u64 out, .param .u32 rounds)
{
	.reg .b64 %rd<4>; .reg .b32 %r<12>; .reg .pred %p<4>;
	.shared .align 4 .b8 ball[8];
	ld.param.u64 %rd1, [out]; ld.param.u32 %r9, [rounds];
	mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31;
	setp.ne.u32 %p1, %r3, 0; @%p1 bra OUT;
	mov.u32 %r4, ball; shl.b32 %r5, %r2, 2; add.u32 %r5, %r4, %r5; // mine to read
	xor.b32 %r6, %r2, 1; shl.b32 %r6, %r6, 2; add.u32 %r6, %r4, %r6; // mine to write
	mov.u32 %r7, 0; // sum
	mov.u32 %r8, 1; // round
	setp.eq.u32 %p2, %r2, 0; @%p2 st.volatile.shared.u32 [%r6], 1;
WAIT:
	ld.volatile.shared.u32 %r10, [%r5]; setp.ne.u32 %p3, %r10, %r8; @%p3 bra WAIT;
	add.u32 %r7, %r7, %r10; add.u32 %r8, %r8, 1;
	add.u32 %r11, %r10, 1; @!%p2 mov.u32 %r11, %r10;
	st.volatile.shared.u32 [%r6], %r11;
	setp.le.u32 %p3, %r8, %r9; @%p3 bra WAIT;
	mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r7;
OUT:
	ret;
}

// Every warp reads what the first one will overwrite as soon as it can: no barrier is in between,
// but the distance is long.
.visible .entry pace(.param .u64 out)
{
	.reg .b64 %rd<4>; .reg .b32 %r<12>; .reg .pred %p<4>;
	.shared .align 4 .b8 next[4];
	ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r9, 0; mov.u32 %r8, 0; mov.u32 %r7, next;
AGAIN:
	setp.eq.u32 %p1, %r1, 0; add.u32 %r2, %r8, 100; @%p1 st.shared.u32 [%r7], %r2;
	bar.sync 0;
	ld.shared.u32 %r3, [%r7]; add.u32 %r9, %r9, %r3;
	mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r9; ld.global.u32 %r9, [%rd3]; st.global.u32 [%rd3], %r9;
	add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, 8; @%p2 bra AGAIN;
	ret;
}

// Blocks that meet `rounds` times at a barrier of their own; each adds what its neighbour had.
// word 0: arrivals; words 16...: values.
.visible .entry meet(.param .u64 out, .param .u32 rounds)
{
	.reg .b64 %rd<6>; .reg .b32 %r<16>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; ld.param.u32 %r9, [rounds];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x; mov.u32 %r8, 0;
	add.u32 %r4, %r2, 1; rem.u32 %r4, %r4, %r3;
	mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd1, %rd2;
	mul.wide.u32 %rd3, %r4, 4; add.u64 %rd3, %rd1, %rd3;
	setp.ne.u32 %p1, %r1, 0; @%p1 bra MEET;
	st.volatile.global.u32 [%rd2+64], %r2;
MEET:
	bar.sync 0;
	setp.ne.u32 %p1, %r1, 0; @%p1 bra MET;
	membar.gl; atom.global.add.u32 %r5, [%rd1], 1; add.u32 %r6, %r8, 1; mul.lo.u32 %r6, %r6, %r3;
SPIN:
	ld.volatile.global.u32 %r5, [%rd1]; setp.lt.u32 %p2, %r5, %r6; @%p2 bra SPIN;
MET:
	bar.sync 0;
	add.u32 %r8, %r8, 1; and.b32 %r10, %r8, 1; setp.eq.u32 %p3, %r10, 0;
	@%p1 bra ON;
	@!%p3 ld.volatile.global.u32 %r11, [%rd3+64];
	@%p3 ld.volatile.global.u32 %r12, [%rd2+64]; @%p3 add.u32 %r12, %r12, %r11;
	@%p3 st.volatile.global.u32 [%rd2+64], %r12;
ON:
	setp.lt.u32 %p2, %r8, %r9; @%p2 bra MEET;
	ret;
}

// A queue of tasks behind a lock: word 0 is the lock, word 1 the next task, word 2 a sum; word
// 16 + i counts how often task i was done.
.visible .entry tasks(.param .u64 out, .param .u32 n)
{
	.reg .b64 %rd<6>; .reg .b32 %r<16>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; ld.param.u32 %r9, [n];
	mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 31; setp.ne.u32 %p1, %r1, 0; @%p1 bra OUT;
TAKE:
	atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra TAKE;
	ld.volatile.global.u32 %r3, [%rd1+4]; add.u32 %r4, %r3, 1;
	setp.lt.u32 %p3, %r3, %r9; @%p3 st.volatile.global.u32 [%rd1+4], %r4;
	ld.volatile.global.u32 %r5, [%rd1+8]; @%p3 add.u32 %r5, %r5, %r3;
	st.volatile.global.u32 [%rd1+8], %r5;
	membar.gl; atom.global.exch.b32 %r2, [%rd1], 0;
	@!%p3 bra OUT;
	mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2; red.global.add.u32 [%rd2+64], 1;
	bra TAKE;
OUT:
	ret;
}

// Block i waits for its neighbour, and goes one further: up: for block i - 1; down: for i + 1.
// The first word is the start of the chain. `count`: it counts how often it looks.
.visible .entry chain(.param .u64 out, .param .u32 down, .param .u32 count)
{
	.reg .b64 %rd<6>; .reg .b32 %r<16>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out]; ld.param.u32 %r8, [down]; ld.param.u32 %r9, [count];
	mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra OUT;
	mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x; sub.u32 %r4, %r3, %r2; sub.u32 %r4, %r4, 1;
	setp.ne.u32 %p2, %r8, 0; @%p2 mov.u32 %r2, %r4;
	mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd1, %rd2; mov.u32 %r6, 0;
SPIN:
	ld.volatile.global.u32 %r5, [%rd2]; add.u32 %r6, %r6, %r9;
	setp.eq.u32 %p3, %r5, 0; @%p3 bra SPIN;
	add.u32 %r5, %r5, %r2; st.volatile.global.u32 [%rd2+4], %r5;
OUT:
	ret;
}
END

both() { # NAME LINE...: a job that ends well either way, with the same bytes
    local name=$1 mode
    shift
    { echo "ptx $work/turns.ptx" && printf '%s\n' "$@"; } >"$work/$name.job"
    for mode in timed functional; do
        mkdir -p "$work/$mode"
        timeout 100 "$heddle" run "$work/$name.job" --quiet --out "$work/$mode" \
            $([ $mode = timed ] || echo --functional-only) >"$work/$name.$mode" 2>&1 ||
            { sed 's/^/# /' "$work/$name.$mode"; return 1; }
    done
    cmp "$work/timed/$name.bin" "$work/functional/$name.bin"
}
word() { # FILE INDEX
    od -An -tu4 -j $((4 * $2)) -N 4 "$1" | tr -d ' '
}
has() { # NAME INDEX VALUE
    [ "$(word "$work/functional/$1.bin" "$2")" = "$3" ] ||
        { echo "# word $2 is $(word "$work/functional/$1.bin" "$2"), not $3"; return 1; }
}

pingpong() {
    both pingpong "buf A 64 zero" "launch pingpong 1 1 1 64 1 1 0 p:A u:100" "dump A 64 pingpong.bin" &&
        has pingpong 0 5050 && has pingpong 1 5050
}
ok "two warps hand words to each other" pingpong
pace() {
    both pace "buf A 4096 zero" "launch pace 1 1 1 256 1 1 0 p:A" "dump A 1024 pace.bin" &&
        has pace 0 828 && has pace 31 828 && has pace 32 828 && has pace 255 828
}
ok "warps keep pace" pace
meet() {
    both meet "buf A 1024 zero" "launch meet 120 1 1 128 1 1 0 p:A u:10" "dump A 544 meet.bin" &&
        has meet 0 1200
}
ok "as many blocks as there are places meet" meet
tasks() {
    both tasks "buf A 8192 zero" "launch tasks 40 1 1 64 1 1 0 p:A u:1000" "dump A 4064 tasks.bin" &&
        has tasks 2 499500 && has tasks 16 1 && has tasks 1015 1
}
ok "a queue of tasks behind a lock" tasks
{ printf '\1\0\0\0' && head -c 8188 /dev/zero; } >"$work/one.bin"
for count in 0 1; do
    for blocks in 100 600; do
        up() {
            both "up$count$blocks" "buf A 8192 file one.bin" \
                "launch chain $blocks 1 1 32 1 1 0 p:A u:0 u:$count" "dump A 4000 up$count$blocks.bin" &&
                has "up$count$blocks" "$blocks" $((blocks * (blocks - 1) / 2 + 1))
        }
        ok "a chain of $blocks blocks, looks counted: $count" up
    done
    down() {
        both "down$count" "buf A 8192 file one.bin" \
            "launch chain 120 1 1 32 1 1 0 p:A u:1 u:$count" "dump A 4000 down$count.bin" &&
            has "down$count" 120 7141
    }
    # 120 million instructions if looks are counted: minutes with sanitizers.
    if [ "$count" = 1 ] && nm "$HEDDLE" | grep -q __asan_init; then
        skip "a chain backwards of as many blocks as there are places, looks counted: 1" "too slow with sanitizers"
    else
        ok "a chain backwards of as many blocks as there are places, looks counted: $count" down
    fi
done
printf '%s\n' "ptx $work/turns.ptx" "buf A 8192 file one.bin" "launch chain 121 1 1 32 1 1 0 p:A u:1 u:0" \
    >"$work/stuck.job"
for mode in "--functional-only" "--set gpu.livelock_after=20000"; do
    case_is "a chain backwards of one more: $mode" 3 "err:livelock in kernel chain" \
        "err:blocks that have not begun: 1; those that have hold all places of the machine" \
        "err:(block 119): PTX line" -- "$heddle" run "$work/stuck.job" $mode
done

# Warps that race: each reads what its neighbour in the block writes, in its turns, and reads the clock.
# Some diverge, some go elsewhere than others, some access memory in ways of their own, and the last one has 8
# lanes. In a kernel with a call warps execute each instruction by themselves, not in batches.
cat >"$work/race.ptx" <<'END'
.version 6.4
.target sm_75
.address_size 64
.func nothing() { ret; }
.visible .entry race(.param .u64 out, .param .u32 never)
{
	.reg .b64 %rd<6>; .reg .b32 %r<20>; .reg .pred %p<8>; .reg .f32 %f<4>;
	.shared .align 4 .b8 cells[1024];
	ld.param.u64 %rd1, [out]; ld.param.u32 %r19, [never];
	mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31;
	mov.u32 %r4, cells; shl.b32 %r5, %r1, 2; add.u32 %r5, %r4, %r5;
	add.u32 %r6, %r1, 32; and.b32 %r6, %r6, 255; shl.b32 %r6, %r6, 2; add.u32 %r6, %r4, %r6;
	mov.u32 %r7, 0; mov.u32 %r8, %r1;
	mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;
AGAIN:
	ld.shared.u32 %r9, [%r6]; mad.lo.u32 %r8, %r8, 31, %r9;
	xor.b32 %r10, %r2, %r7; and.b32 %r10, %r10, 3; setp.eq.u32 %p1, %r10, 0; @%p1 bra SKIP;
	st.shared.u32 [%r5], %r8; ld.shared.u8 %r11, [%r6+1]; add.u32 %r8, %r8, %r11;
	cvt.rn.f32.u32 %f1, %r8; fma.rn.f32 %f2, %f1, 0f3F000000, %f1; cvt.rzi.u32.f32 %r12, %f2;
	xor.b32 %r8, %r8, %r12;
SKIP:
	setp.lt.u32 %p2, %r3, 5; @%p2 add.u32 %r8, %r8, 7; @!%p2 ld.shared.u32 %r13, [%r4+128];
	@!%p2 add.u32 %r8, %r8, %r13;
	and.b32 %r14, %r8, 1; setp.eq.u32 %p3, %r14, 0; @%p3 bra EVEN;
	ld.global.u32 %r15, [%rd2]; add.u32 %r8, %r8, %r15; st.shared.u32 [%r5], %r8;
EVEN:
	mov.u32 %r16, %clock; add.u32 %r8, %r8, %r16;
	st.global.u32 [%rd2], %r8; ld.global.u32 %r17, [%rd1+68]; add.u32 %r8, %r8, %r17;
	add.u32 %r7, %r7, 1; setp.lt.u32 %p4, %r7, 40; @%p4 bra AGAIN;
	st.global.u32 [%rd2], %r8;
	setp.eq.u32 %p5, %r19, 0; @%p5 bra OUT;
	CALL
OUT:
	ret;
}
END
race() {
    local kind
    for kind in alone together; do
        [ $kind = alone ] && line='call nothing;' || line='trap;'
        sed "s/CALL/$line/" "$work/race.ptx" >"$work/$kind.ptx"
        printf '%s\n' "ptx $work/$kind.ptx" "buf A 4096 zero" "launch race 3 1 1 232 1 1 0 p:A u:0" \
            "dump A 928 $kind.bin" >"$work/$kind.job"
        "$heddle" run "$work/$kind.job" --functional-only --quiet --out "$work" >"$work/$kind.out" 2>&1 ||
            { sed 's/^/# /' "$work/$kind.out"; return 1; }
    done
    cmp "$work/alone.bin" "$work/together.bin"
}
ok "batches take the same turns as single warps" race
finish
