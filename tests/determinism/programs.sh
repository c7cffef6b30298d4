# shellcheck shell=bash
# programs.sh - for the scripts of this folder: programs that ask the device for memory, text and kernels,
# as jobs in $work: asks.job, heap.job, children.job.

cat >"$work/asks.ptx" <<'PTX'
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[14] = {98, 108, 111, 99, 107, 32, 37, 100, 58, 32, 37, 100, 10, 0};
.visible .entry asks(.param .u64 out)
{
    .local .align 8 .b8 values[8];
    .reg .b32 %r<8>;
    .reg .b64 %rd<16>;
    .reg .pred %p<2>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r3, %r1, 64, %r2;
    mul.wide.u32 %rd2, %r3, 8;
    add.u64 %rd3, %rd1, %rd2;
    and.b32 %r4, %r3, 3;
    mad.lo.u32 %r4, %r4, 48, 16;
    cvt.u64.u32 %rd4, %r4;
    { .param .b64 n; .param .b64 r; st.param.b64 [n], %rd4; call.uni (r), malloc, (n); ld.param.b64 %rd5, [r]; }
    st.u32 [%rd5], %r3;
    st.global.u64 [%rd3], %rd5;
    ld.u32 %r5, [%rd5];
    setp.ne.u32 %p1, %r2, 5;
    @%p1 bra quiet;
    mov.u64 %rd6, values;
    cvta.local.u64 %rd7, %rd6;
    st.local.u32 [%rd6], %r1;
    st.local.u32 [%rd6+4], %r5;
    mov.u64 %rd8, text;
    cvta.global.u64 %rd9, %rd8;
    { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd9; st.param.b64 [a], %rd7;
      call.uni (r), vprintf, (f, a); ld.param.b32 %r6, [r]; }
quiet:
    and.b32 %r7, %r2, 1;
    setp.ne.u32 %p1, %r7, 0;
    @%p1 bra keeps;
    { .param .b64 p; st.param.b64 [p], %rd5; call.uni free, (p); }
keeps:
    ret;
}
PTX
printf '%s\n' "ptx $work/asks.ptx" "buf out 30720 zero" "launch asks 60 1 1 64 1 1 0 p:out" \
    "dump out 30720 asks.bin" >"$work/asks.job"

# The device's runtime: addresses that malloc returns, text that is printed (some of it without
# room), blocks that are freed, kernels that launch kernels and wait for them.
cat >"$work/runtime.ptx" <<'END'
.version 7.0
.target sm_75
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.extern .func (.param .b64 p) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.global .align 1 .b8 text[10] = {37, 100, 58, 32, 37, 108, 108, 120, 10, 0};
.visible .entry heap (.param .u64 out)
{
    .local .align 8 .b8 args[16];
    .reg .b64 %rd<9>;
    .reg .b32 %r<9>;
    .param .b64 n; .param .b64 q; .param .b64 f; .param .b64 a; .param .b64 p; .param .b32 r;
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1;
    mul.wide.u32 %rd1, %r1, 24; add.u64 %rd1, %rd1, 8;
    st.param.b64 [n], %rd1; call.uni (q), malloc, (n); ld.param.b64 %rd2, [q];
    st.u64 [%rd2], %rd2;
    mov.u64 %rd3, args; cvta.local.u64 %rd4, %rd3;
    st.local.u32 [%rd3], %r3; st.local.u64 [%rd3+8], %rd2;
    mov.u64 %rd5, text; cvta.global.u64 %rd5, %rd5;
    st.param.b64 [f], %rd5; st.param.b64 [a], %rd4; call.uni (r), vprintf, (f, a);
    ld.param.b32 %r4, [r]; cvt.s64.s32 %rd8, %r4; add.u64 %rd2, %rd2, %rd8; sub.u64 %rd8, %rd2, %rd8;
    ld.param.u64 %rd6, [out]; mul.wide.u32 %rd7, %r3, 8; add.u64 %rd6, %rd6, %rd7;
    st.u64 [%rd6], %rd2;
    st.param.b64 [p], %rd8; call.uni free, (p);
    ret;
}
END
cat >"$work/heap.job" <<END
ptx $work/runtime.ptx
buf out 65536 zero
launch heap 60 1 1 64 1 1 0 p:out
dump out 30720 heap.out
END
cat >"$work/children.job" <<END
ptx $PWD/tests/cuda/children.ptx
buf ordered 32768 zero
buf mixed 128 zero
buf seen 128 zero
buf notes 16384 zero
buf failed 4 zero
launch in_order 2 1 1 1 1 1 0 p:ordered u:6
launch give_mixed 1 1 1 32 1 1 0 p:mixed p:seen
launch flood 4 1 1 10 1 1 0 p:notes p:failed u:1
END
