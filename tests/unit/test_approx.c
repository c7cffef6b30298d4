// test_approx.c - approximate operations against the C library in double precision: the bounds of
// PTX ISA 9.0, chapter 9.7.3, over samples of the whole range of f32. Arguments: the step between
// sampled bit patterns (1 looks at all of them, which takes minutes).
#include "emu/lanes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t stride = 2003;

struct bound {
    int op;
    double (*exact)(double);
    double least, most; // arguments for which the bound holds
    double absolute, relative;
};

static double rcp(double x)
{
    return 1 / x;
}

static double rsqrt(double x)
{
    return 1 / sqrt(x);
}

static void check(const struct bound *b, const float *x, const float *y)
{
    for (int l = 0; l < HD_LANES; l++) {
        double d = (double)x[l], want, error;
        if (!(d >= b->least && d <= b->most))
            continue;
        want = b->exact(d);
        if (fabs(want) > 3.4028235677973362e38 || fabs(want) < 0x1p-126)
            continue; // subnormal results lose bits, by definition
        error = fabs((double)y[l] - want);
        if (!(error <= b->absolute || error <= b->relative * fabs(want)))
            fail_msg("%s(%a) = %a, exactly %a", hd_op_info[b->op].name, d, (double)y[l], want);
    }
}

static void within_the_bounds_of_ptx(void **state)
{
    static const double pi = 3.14159265358979323846, max = 3.4028234663852886e38;
    const struct bound bounds[] = {
        {HD_OP_SIN_APPROX_F32, sin, -2 * pi, 2 * pi, 0x1p-20, 0},
        {HD_OP_COS_APPROX_F32, cos, -2 * pi, 2 * pi, 0x1p-20, 0},
        {HD_OP_SIN_APPROX_F32, sin, -100 * pi, 100 * pi, 0x1p-14, 0},
        {HD_OP_COS_APPROX_F32, cos, -100 * pi, 100 * pi, 0x1p-14, 0},
        // ours hold everywhere
        {HD_OP_SIN_APPROX_F32, sin, -max, max, 0x1p-24, 0},
        {HD_OP_COS_APPROX_F32, cos, -max, max, 0x1p-24, 0},
        {HD_OP_EX2_APPROX_F32, exp2, -max, max, 0, 0x1p-22},
        {HD_OP_LG2_APPROX_F32, log2, 0x1p-149, max, 0, 0x1p-22},
        {HD_OP_LG2_APPROX_F32, log2, 0.5, 2, 0x1p-22, 0},
        {HD_OP_RCP_APPROX_F32, rcp, -max, max, 0, 0x1p-23},
        {HD_OP_SQRT_APPROX_F32, sqrt, 0, max, 0, 0x1p-23},
        {HD_OP_RSQRT_APPROX_F32, rsqrt, 0x1p-149, max, 0, 0x1p-23},
        {HD_OP_TANH_APPROX_F32, tanh, -max, max, 0, 0x1p-11},
    };
    static _Alignas(64) float rows[2 * HD_LANES];
    const struct hd_lane_regs regs = {(uint32_t *)rows, NULL, NULL};
    const hd_lane_fn *lanes = hd_lanes_pick();

    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        struct hd_insn in = {.op = (uint16_t)bounds[i].op, .vec = 1, .dst = 1};
        for (uint64_t u = 0; u <= UINT32_MAX; u += (uint64_t)stride * HD_LANES) {
            for (uint32_t l = 0; l < HD_LANES; l++) {
                uint32_t w = (uint32_t)u + l * stride;
                memcpy(&rows[l], &w, sizeof w);
            }
            lanes[in.op](&in, &regs, UINT32_MAX);
            check(&bounds[i], rows, rows + HD_LANES);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(within_the_bounds_of_ptx)};

    if (argc > 1)
        stride = (uint32_t)strtoul(argv[1], NULL, 0);
    return cmocka_run_group_tests_name("approx", tests, NULL, NULL);
}
