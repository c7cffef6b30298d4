// video_ops.c - video instructions: which operation their modifiers select, and the selectors at
// their operands. PTX ISA 9.0, 9.7.17 (scalar) and 9.7.18 (SIMD).
//
//   vadd.u32.s32.u32.sat.min d, a.b3, b.h1, c;    scalar: parts of sources, an operation with c
//   vadd.u32.u32.u32 d.h0, a, b, c;               the result replaces a part of c
//   vadd4.u32.u32.u32 d.b20, a.b7654, b, c;       SIMD: fields of both sources, fields that count
#include "ptx/video_ops.h"

#include "isa/video.h"

#include <string.h>

static const struct video_name {
    const char *name;
    uint16_t operation;
    uint8_t op, bits;
} names[] = {
    {"vadd", HD_OP_VADD_B32, HD_VIDEO_ADD, 32},
    {"vsub", HD_OP_VSUB_B32, HD_VIDEO_SUB, 32},
    {"vabsdiff", HD_OP_VABSDIFF_B32, HD_VIDEO_ABSDIFF, 32},
    {"vmin", HD_OP_VMIN_B32, HD_VIDEO_MIN, 32},
    {"vmax", HD_OP_VMAX_B32, HD_VIDEO_MAX, 32},
    {"vshl", HD_OP_VSHL_B32, HD_VIDEO_SHL, 32},
    {"vshr", HD_OP_VSHR_B32, HD_VIDEO_SHR, 32},
    {"vmad", HD_OP_VMAD_B32, HD_VIDEO_MAD, 32},
    {"vset", HD_OP_VSET_B32, HD_VIDEO_SET, 32},
    {"vadd2", HD_OP_VADD2_B32, HD_VIDEO_ADD, 16},
    {"vsub2", HD_OP_VSUB2_B32, HD_VIDEO_SUB, 16},
    {"vavrg2", HD_OP_VAVRG2_B32, HD_VIDEO_AVRG, 16},
    {"vabsdiff2", HD_OP_VABSDIFF2_B32, HD_VIDEO_ABSDIFF, 16},
    {"vmin2", HD_OP_VMIN2_B32, HD_VIDEO_MIN, 16},
    {"vmax2", HD_OP_VMAX2_B32, HD_VIDEO_MAX, 16},
    {"vset2", HD_OP_VSET2_B32, HD_VIDEO_SET, 16},
    {"vadd4", HD_OP_VADD4_B32, HD_VIDEO_ADD, 8},
    {"vsub4", HD_OP_VSUB4_B32, HD_VIDEO_SUB, 8},
    {"vavrg4", HD_OP_VAVRG4_B32, HD_VIDEO_AVRG, 8},
    {"vabsdiff4", HD_OP_VABSDIFF4_B32, HD_VIDEO_ABSDIFF, 8},
    {"vmin4", HD_OP_VMIN4_B32, HD_VIDEO_MIN, 8},
    {"vmax4", HD_OP_VMAX4_B32, HD_VIDEO_MAX, 8},
    {"vset4", HD_OP_VSET4_B32, HD_VIDEO_SET, 8},
};

static const struct video_name *find(struct hd_slice opcode)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (hd_lex_is(opcode, names[i].name))
            return &names[i];
    return NULL;
}

bool hd_video_ops_named(struct hd_slice opcode)
{
    return find(opcode) != NULL;
}

struct words { // of one instruction, while they are read
    struct hd_video v;
    const struct video_name *name;
    unsigned n_types, n_cmps, n_modes;
};

// A type: of the result unless a comparison gives it, of a, of b.
static bool take_type(struct words *w, struct hd_slice word)
{
    bool sign = hd_lex_is(word, "s32");
    unsigned at = w->n_types + (w->name->op == HD_VIDEO_SET);

    if ((!sign && !hd_lex_is(word, "u32")) || at > 2 || w->n_cmps || w->n_modes)
        return false;
    *(at == 0 ? &w->v.signed_d : at == 1 ? &w->v.signed_a : &w->v.signed_b) = sign;
    w->n_types++;
    return true;
}

static bool take_comparison(struct words *w, struct hd_slice word)
{
    if (w->name->op != HD_VIDEO_SET || w->n_cmps)
        return false;
    for (unsigned i = 0; i <= HD_CMP_GE; i++)
        if (hd_lex_is(word, hd_cmp_names[i])) {
            w->v.cmp = (uint8_t)i;
            w->n_cmps++;
            return true;
        }
    return false;
}

static bool take_shift_mode(struct words *w, struct hd_slice word)
{
    bool shifts = w->name->op == HD_VIDEO_SHL || w->name->op == HD_VIDEO_SHR;

    w->v.wrap |= hd_lex_is(word, "wrap");
    return shifts && !w->n_modes++ && (hd_lex_is(word, "wrap") || hd_lex_is(word, "clamp"));
}

static bool take_mad_mode(struct words *w, struct hd_slice word)
{
    if (w->name->op != HD_VIDEO_MAD)
        return false;
    if (hd_lex_is(word, "po") && !w->v.plus_one && !w->v.sat && !w->v.scale)
        return w->v.plus_one = true;
    if (w->v.scale || (!hd_lex_is(word, "shr7") && !hd_lex_is(word, "shr15")))
        return false;
    w->v.scale = hd_lex_is(word, "shr7") ? 7 : 15;
    return true;
}

static bool take_second(struct words *w, struct hd_slice word)
{
    static const char *const seconds[] = {"", "add", "min", "max"};
    unsigned most = w->name->op == HD_VIDEO_MAD ? 0 : w->v.bits == 32 ? 3 : 1;

    for (unsigned i = 1; i <= most && w->v.second == HD_VIDEO_ALONE; i++)
        if (hd_lex_is(word, seconds[i])) {
            w->v.second = (uint8_t)i;
            return true;
        }
    return false;
}

static bool take_sat(struct words *w, struct hd_slice word)
{
    if (!hd_lex_is(word, "sat") || w->v.sat || w->name->op == HD_VIDEO_SET)
        return false;
    return w->v.sat = true;
}

bool hd_video_ops_select(const struct hd_select_from *from, const struct hd_ast_insn *in,
                         struct hd_select *out)
{
    struct words w = {.name = find(in->op)};
    const char *missing = NULL;

    w.v.op = w.name->op;
    w.v.bits = w.name->bits;
    snprintf(out->name, sizeof out->name, "%s", w.name->name);
    for (uint32_t i = 0; i < in->n_mods; i++) {
        const struct hd_ast_mod *m = &from->ast->mods[in->mods + i];
        if (take_type(&w, m->text) || take_comparison(&w, m->text) || take_sat(&w, m->text) ||
            take_second(&w, m->text) || take_mad_mode(&w, m->text) || take_shift_mode(&w, m->text))
            continue;
        hd_diag_add(from->diag, from->path, m->place.line, m->place.column,
                    "'%s': unsupported modifier '.%.*s'", out->name, HD_SLICE_ARG(m->text));
        return false;
    }
    if (w.n_types != (w.v.op == HD_VIDEO_SET ? 2 : 3))
        missing = w.v.op == HD_VIDEO_SET ? "needs the types of a and b, as in vset.u32.u32.lt"
                                         : "needs three types, as in vadd.u32.u32.u32";
    else if (w.v.op == HD_VIDEO_SET && !w.n_cmps)
        missing = "needs a comparison such as .lt";
    else if ((w.v.op == HD_VIDEO_SHL || w.v.op == HD_VIDEO_SHR) && !w.n_modes)
        missing = "needs .clamp or .wrap";
    else if (w.v.bits != 32 && w.v.sat && w.v.second == HD_VIDEO_SUM)
        missing = "cannot have both .sat and .add";
    if (missing)
        hd_select_complain(from, in, out, missing);
    out->op = w.name->operation;
    out->type = out->dtype = HD_B32;
    out->video = hd_video_imm(&w.v);
    return !missing;
}

// --- operands

static bool wrong_part(struct hd_match *m, const struct hd_ast_operand *o, const char *what)
{
    hd_values_complain(m, o->place, "'%.*s.%.*s': expected %s", HD_SLICE_ARG(o->name),
                       HD_SLICE_ARG(o->part), what);
    return false;
}

// b0 to b3, h0, h1, or nothing
static bool scalar_part(struct hd_match *m, const struct hd_ast_operand *o, uint8_t *part)
{
    char half = 'h', last = o->part.n == 2 ? o->part.s[1] : '9';

    *part = HD_VIDEO_WORD;
    if (!o->part.n)
        return true;
    bool is_half = o->part.s[0] == half;
    if (last < '0' || last > (is_half ? '1' : '3'))
        return wrong_part(m, o, "one of .b0 to .b3, .h0 and .h1");
    *part = (uint8_t)((is_half ? HD_VIDEO_H0 : HD_VIDEO_B0) + (last - '0'));
    return true;
}

// The digits of h10, b3210 and the like are fields of both sources, the last for field 0.
static bool fields(struct hd_match *m, const struct hd_ast_operand *o, unsigned bits,
                   uint8_t which[4])
{
    unsigned n = 32 / bits;
    bool good = o->part.n == n + 1 && o->part.s[0] == (bits == 8 ? 'b' : 'h');

    for (unsigned i = 0; i < n && good; i++) {
        which[i] = (uint8_t)(o->part.s[n - i] - '0');
        good = which[i] < 2 * n;
    }
    if (!good)
        return wrong_part(m, o,
                          bits == 8 ? "four digits from 0 to 7, as in .b3210"
                                    : "two digits from 0 to 3, as in .h10");
    return true;
}

// The digits of b20 and the like are the fields that count, in falling order.
static bool mask(struct hd_match *m, const struct hd_ast_operand *o, unsigned bits, uint8_t *which)
{
    unsigned n = 32 / bits, before = n;
    bool good = o->part.s[0] == (bits == 8 ? 'b' : 'h');

    *which = 0;
    for (unsigned i = 1; i < o->part.n && good; i++) {
        unsigned digit = (unsigned)(o->part.s[i] - '0');
        good = digit < before;
        before = digit;
        *which |= (uint8_t)(good ? 1u << digit : 0);
    }
    if (!good)
        return wrong_part(m, o,
                          bits == 8 ? "the bytes that are written, as in .b31"
                                    : "the halves that are written: .h0, .h1 or .h10");
    return true;
}

static bool simd(struct hd_match *m, struct hd_video *v, const struct hd_ast_operand *d)
{
    const struct hd_ast_operand *a = d->next, *b = a->next;
    unsigned n = 32u / v->bits;

    for (unsigned i = 0; i < n; i++) {
        v->a[i] = (uint8_t)i;
        v->b[i] = (uint8_t)(n + i);
    }
    v->mask = (uint8_t)((1u << n) - 1);
    return (!d->part.n || mask(m, d, v->bits, &v->mask)) &&
           (!a->part.n || fields(m, a, v->bits, v->a)) &&
           (!b->part.n || fields(m, b, v->bits, v->b));
}

static bool scalar(struct hd_match *m, struct hd_video *v, const struct hd_ast_operand *d)
{
    const struct hd_ast_operand *a = d->next, *b = a->next, *c = b->next;

    if (!scalar_part(m, d, &v->mask) || !scalar_part(m, a, &v->a[0]) ||
        !scalar_part(m, b, &v->b[0]))
        return false;
    if (d->part.n && (v->second != HD_VIDEO_ALONE || v->op == HD_VIDEO_MAD || !c)) {
        hd_values_complain(m, d->place,
                           "a part of '%.*s' is written only without an operation, and "
                           "with a fourth operand",
                           HD_SLICE_ARG(d->name));
        return false;
    }
    if (d->part.n)
        v->second = HD_VIDEO_MERGE;
    bool needs = v->second != HD_VIDEO_ALONE || v->op == HD_VIDEO_MAD;
    if (needs && !c) {
        hd_values_complain(m, m->in->place, "expected 4 operands, found 3");
        return false;
    }
    v->neg_ab = a->minus != b->minus;
    v->neg_c = c && c->minus;
    if ((v->neg_ab && v->neg_c) || (v->plus_one && (a->minus || b->minus || v->neg_c))) {
        hd_values_complain(m, m->in->place,
                           "either the product or c may have a minus sign, and neither with .po");
        return false;
    }
    return true;
}

bool hd_video_ops_match(struct hd_match *m)
{
    const struct hd_ast_operand *d = m->in->operands;
    struct hd_video v = hd_video_of(m->sel.video);

    if (m->n_operands < 3 || m->n_operands > 4) // the pattern says how many there must be
        return true;
    if (m->n_operands == 4 && d->next->next->next->part.n)
        return wrong_part(m, d->next->next->next, "a whole register");
    if (!(v.bits == 32 ? scalar(m, &v, d) : simd(m, &v, d)))
        return false;
    m->insn->imm = hd_video_imm(&v);
    m->insn->src[2] = hd_pool_word(&m->lo->pool, 0); // unless there is a fourth operand
    return true;
}
