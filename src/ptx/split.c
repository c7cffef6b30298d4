// split.c - instructions on wide vectors, which become several instructions on narrower ones.
//
// Atomics on vectors (sm_90) are atomic element by element, so each becomes one atomic for each
// element. Loads and stores of eight elements (sm_100) become two of four. Hardware makes one
// access of 32 bytes; no machine here has such accesses. The address may then be aligned to 16
// bytes only.
//
// An instruction is left as it is, and refused later, if a piece would change what a later piece
// reads.
#include "ptx/parse.h"

struct split {
    unsigned n;     // pieces
    unsigned each;  // elements of a piece
    unsigned bytes; // of a piece in memory
};

static bool says(const struct hd_parse *p, const struct hd_ast_insn *in, const char *word)
{
    for (uint32_t i = 0; i < in->n_mods; i++)
        if (hd_lex_is(p->ast->mods[in->mods + i].text, word))
            return true;
    return false;
}

// The word that gives the number of elements, HD_AST_NONE if there is none.
static uint32_t vector_word(const struct hd_parse *p, const struct hd_ast_insn *in, unsigned *n)
{
    for (uint32_t i = in->mods; i < in->mods + in->n_mods; i++) {
        struct hd_slice s = p->ast->mods[i].text;
        *n = s.n == 2 && s.s[0] == 'v' ? (unsigned)(s.s[1] - '0') : 0;
        if (*n == 2 || *n == 4 || *n == 8)
            return i;
    }
    return HD_AST_NONE;
}

// The bytes of an element of an atomic that can be split, 0 for others.
static unsigned atomic_bytes(const struct hd_parse *p, const struct hd_ast_insn *in)
{
    if (!says(p, in, "add"))
        return 0;
    if (says(p, in, "f16") || says(p, in, "bf16"))
        return 2;
    return says(p, in, "f32") || says(p, in, "f16x2") || says(p, in, "bf16x2") ? 4 : 0;
}

static unsigned count(const struct hd_ast_operand *vec)
{
    unsigned n = 0;

    for (const struct hd_ast_operand *e = vec->child; e; e = e->next)
        n++;
    return n;
}

static const struct hd_ast_operand *element(const struct hd_ast_operand *vec, unsigned i)
{
    const struct hd_ast_operand *e = vec->child;

    while (i--)
        e = e->next;
    return e;
}

// How the instruction is split; n is 0 if it is not.
static struct split plan(const struct hd_parse *p, const struct hd_ast_insn *in, uint32_t *word)
{
    const struct split none = {0, 0, 0};
    bool atomic = hd_lex_is(in->op, "atom") || hd_lex_is(in->op, "red");
    bool access = hd_lex_is(in->op, "ld") || hd_lex_is(in->op, "st");
    unsigned n, bytes = atomic ? atomic_bytes(p, in) : 0;

    *word = atomic || access ? vector_word(p, in, &n) : HD_AST_NONE;
    if (*word == HD_AST_NONE || (atomic && !bytes) || (access && (n != 8 || says(p, in, "b64"))))
        return none;
    for (const struct hd_ast_operand *o = in->operands; o; o = o->next)
        if (o->kind == HD_AST_VEC && count(o) != n)
            return none;
    return atomic ? (struct split){n, 1, bytes} : (struct split){2, 4, 16};
}

static bool mentions(const struct hd_ast_operand *o, uint32_t reg)
{
    return o && o->kind == HD_AST_REG && o->index == reg;
}

// Whether the register, which piece i writes, is read by a later piece.
static bool read_later(const struct hd_ast_insn *in, struct split s, unsigned i, uint32_t reg)
{
    for (const struct hd_ast_operand *o = in->operands->next; o; o = o->next) {
        if (o->kind == HD_AST_ADDR && i + 1 < s.n && mentions(o->child, reg))
            return true;
        for (unsigned k = (i + 1) * s.each; o->kind == HD_AST_VEC && k < s.n * s.each; k++)
            if (mentions(element(o, k), reg))
                return true;
    }
    return false;
}

static bool safe(const struct hd_ast_insn *in, struct split s)
{
    const struct hd_ast_operand *to = in->operands;

    if (!to || to->kind != HD_AST_VEC) // nothing is written
        return to != NULL;
    for (unsigned i = 0; i < s.n * s.each; i++) {
        const struct hd_ast_operand *e = element(to, i);
        if (e->kind == HD_AST_REG && read_later(in, s, i / s.each, e->index))
            return false;
    }
    return true;
}

static struct hd_ast_operand *copy_of(struct hd_parse *p, const struct hd_ast_operand *o)
{
    struct hd_ast_operand *copy = HD_NEW(p->arena, hd_ast_operand);

    *copy = *o;
    copy->next = NULL;
    return copy;
}

// Operand o of piece i.
static struct hd_ast_operand *piece(struct hd_parse *p, const struct hd_ast_operand *o,
                                    struct split s, unsigned i)
{
    if (o->kind == HD_AST_VEC && s.each == 1)
        return copy_of(p, element(o, i));
    struct hd_ast_operand *copy = copy_of(p, o);
    if (o->kind == HD_AST_ADDR)
        copy->value += i * s.bytes;
    if (o->kind != HD_AST_VEC)
        return copy;
    struct hd_ast_operand **last = &copy->child;
    for (unsigned k = 0; k < s.each; k++, last = &(*last)->next)
        *last = copy_of(p, element(o, i * s.each + k));
    return copy;
}

// The modifiers of the pieces: one of eight elements has four, an atomic has no vector.
static void change_word(struct hd_parse *p, struct hd_ast_insn *in, struct split s, uint32_t word)
{
    struct hd_ast_mod *mods = p->ast->mods;

    if (s.each > 1) {
        mods[word].text = HD_SLICE("v4");
        return;
    }
    for (uint32_t i = word; i + 1 < in->mods + in->n_mods; i++)
        mods[i] = mods[i + 1];
    in->n_mods--;
}

unsigned hd_split_insn(struct hd_parse *p, const struct hd_ast_insn *in,
                       struct hd_ast_insn pieces[HD_SPLIT_MOST])
{
    struct hd_ast_insn changed = *in;
    uint32_t word;
    struct split s = plan(p, in, &word);

    pieces[0] = *in;
    if (!s.n || !safe(in, s))
        return 1;
    change_word(p, &changed, s, word);
    for (unsigned i = 0; i < s.n; i++) {
        struct hd_ast_operand **last = &pieces[i].operands;
        pieces[i] = changed;
        for (const struct hd_ast_operand *o = in->operands; o; o = o->next) {
            *last = piece(p, o, s, i);
            last = &(*last)->next;
        }
    }
    return s.n;
}
