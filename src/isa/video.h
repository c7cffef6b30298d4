// video.h - what a video instruction does beyond its operands, in one word: hd_insn.imm. The
// front end fills it (ptx/video_ops.c), the lanes (emu/lane_video.h) and the text of an instruction
// (op_text.c) read it.
//
// Scalar instructions (vadd) work on a byte, a half or the whole of each source. SIMD instructions
// (vadd2, vadd4) work on two halves or four bytes, each chosen from both sources. PTX ISA 9.0,
// 9.7.17 and 9.7.18.
#ifndef HEDDLE_ISA_VIDEO_H
#define HEDDLE_ISA_VIDEO_H

#include <stdbool.h>
#include <stdint.h>

enum hd_video_op {
    HD_VIDEO_ADD,
    HD_VIDEO_SUB,
    HD_VIDEO_AVRG,
    HD_VIDEO_ABSDIFF,
    HD_VIDEO_MIN,
    HD_VIDEO_MAX,
    HD_VIDEO_SHL,
    HD_VIDEO_SHR,
    HD_VIDEO_SET,
    HD_VIDEO_MAD
};
// What is done with c: nothing, the result is added to it, the smaller or larger is taken, or the
// result replaces parts of it.
enum hd_video_second {
    HD_VIDEO_ALONE,
    HD_VIDEO_SUM,
    HD_VIDEO_LEAST,
    HD_VIDEO_MOST,
    HD_VIDEO_MERGE
};
enum hd_video_part { // of a scalar source or destination
    HD_VIDEO_B0,
    HD_VIDEO_B1,
    HD_VIDEO_B2,
    HD_VIDEO_B3,
    HD_VIDEO_H0,
    HD_VIDEO_H1,
    HD_VIDEO_WORD
};

struct hd_video {
    uint8_t op, second; // enum hd_video_op, hd_video_second
    uint8_t bits;       // 8 or 16: SIMD fields; 32: scalar
    bool signed_d, signed_a, signed_b, sat;
    uint8_t cmp;                  // SET: enum hd_cmp, EQ to GE
    bool wrap;                    // shifts: the distance modulo 32, instead of at most 32
    uint8_t scale;                // MAD: 7 or 15 to shift right, or 0
    bool neg_ab, neg_c, plus_one; // MAD
    uint8_t a[4], b[4];           // SIMD: field i of each source; fields of a, then those of b.
                                  // Scalar: a[0] and b[0] are enum hd_video_part
    uint8_t mask; // SIMD: fields of the result that count. Scalar: enum hd_video_part
};

static inline int64_t hd_video_imm(const struct hd_video *v)
{
    uint64_t w = 0;

    for (unsigned i = 0; i < 4; i++)
        w |= (uint64_t)(v->a[i] & 7) << 3 * i | (uint64_t)(v->b[i] & 7) << (12 + 3 * i);
    w |= (uint64_t)(v->mask & 15) << 24 | (uint64_t)(v->op & 15) << 28;
    w |= (uint64_t)(v->bits / 16) << 32 | (uint64_t)v->signed_d << 34;
    w |= (uint64_t)v->signed_a << 35 | (uint64_t)v->signed_b << 36 | (uint64_t)v->sat << 37;
    w |= (uint64_t)(v->second & 7) << 38 | (uint64_t)(v->cmp & 7) << 41;
    w |= (uint64_t)v->wrap << 44 | (uint64_t)(v->scale & 15) << 45;
    w |= (uint64_t)v->neg_ab << 49 | (uint64_t)v->neg_c << 50 | (uint64_t)v->plus_one << 51;
    return (int64_t)w;
}

static inline struct hd_video hd_video_of(int64_t imm)
{
    const uint64_t w = (uint64_t)imm;
    struct hd_video v = {.mask = w >> 24 & 15, .op = w >> 28 & 15};

    for (unsigned i = 0; i < 4; i++) {
        v.a[i] = w >> 3 * i & 7;
        v.b[i] = w >> (12 + 3 * i) & 7;
    }
    v.bits = (w >> 32 & 3) == 0 ? 8 : (w >> 32 & 3) == 1 ? 16 : 32;
    v.signed_d = w >> 34 & 1;
    v.signed_a = w >> 35 & 1;
    v.signed_b = w >> 36 & 1;
    v.sat = w >> 37 & 1;
    v.second = w >> 38 & 7;
    v.cmp = w >> 41 & 7;
    v.wrap = w >> 44 & 1;
    v.scale = w >> 45 & 15;
    v.neg_ab = w >> 49 & 1;
    v.neg_c = w >> 50 & 1;
    v.plus_one = w >> 51 & 1;
    return v;
}

#endif
