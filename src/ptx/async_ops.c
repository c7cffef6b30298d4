// async_ops.c - asynchronous copies (cp.async), mbarriers, cache policies and clusters of one
// block: which operation their modifiers select, and the operands of copies.
//
// A row of `forms` is an instruction without the words that have no effect here: state spaces,
// memory order and scope, types, prefetch sizes. A cluster has one block (larger clusters are
// refused at launch), so an address in .shared::cluster is an address in .shared, mapa returns its
// operand, and every rank is 0. Cache policies have no effect, so createpolicy returns 0.
//
// The file follows PTX ISA 9.0, 9.7.9.25 (copies), 9.7.13.15 (mbarrier) and 9.7.9.18
// (createpolicy). Reductions, tensors, copies between blocks or to several blocks, and masks of
// bytes are refused.
#include "ptx/async_ops.h"

#include <string.h>

enum operands { PATTERN, NONE, COPY, BULK_LOAD, BULK_STORE, LESS, POLICY, SAME_ADDRESS, RANK };

static const struct form {
    const char *words;
    uint16_t op;
    uint8_t operands, mods, spaces;
} forms[] = {
    {"cp.async.ca", HD_OP_CP_ASYNC, COPY, 0, 0},
    {"cp.async.cg", HD_OP_CP_ASYNC, COPY, 0, 0},
    {"cp.async.commit_group", HD_OP_CP_COMMIT, NONE, 0, 0},
    {"cp.async.wait_group", HD_OP_CP_WAIT, LESS, 0, 0},
    {"cp.async.wait_all", HD_OP_CP_WAIT, NONE, 1, 0},
    {"cp.async.mbarrier.arrive", HD_OP_CP_ARRIVE_B64, PATTERN, 0, 0},
    {"cp.async.mbarrier.arrive.noinc", HD_OP_CP_ARRIVE_B64, PATTERN, HD_MBAR_NOINC, 0},
    {"cp.async.bulk.mbarrier::complete_tx::bytes", HD_OP_CP_BULK_LOAD, BULK_LOAD, 0, 0},
    {"cp.async.bulk.bulk_group", HD_OP_CP_BULK_STORE, BULK_STORE, 0, 0},
    {"cp.async.bulk.commit_group", HD_OP_CP_BULK_COMMIT, NONE, 0, 0},
    {"cp.async.bulk.wait_group", HD_OP_CP_BULK_WAIT, LESS, 0, 0},
    {"cp.async.bulk.wait_group.read", HD_OP_CP_BULK_WAIT, LESS, 1, 0},
    {"mbarrier.init", HD_OP_MBAR_INIT_B64, PATTERN, 0, 0},
    {"mbarrier.inval", HD_OP_MBAR_INVAL_B64, PATTERN, 0, 0},
    {"mbarrier.expect_tx", HD_OP_MBAR_EXPECT_B64, PATTERN, 0, 0},
    {"mbarrier.complete_tx", HD_OP_MBAR_COMPLETE_B64, PATTERN, 0, 0},
    {"mbarrier.arrive", HD_OP_MBAR_ARRIVE_B64, PATTERN, 0, 0},
    {"mbarrier.arrive.expect_tx", HD_OP_MBAR_ARRIVE_B64, PATTERN, HD_MBAR_EXPECT, 0},
    {"mbarrier.arrive.noComplete", HD_OP_MBAR_ARRIVE_B64, PATTERN, HD_MBAR_INCOMPLETE, 0},
    {"mbarrier.arrive_drop", HD_OP_MBAR_DROP_B64, PATTERN, 0, 0},
    {"mbarrier.arrive_drop.expect_tx", HD_OP_MBAR_DROP_B64, PATTERN, HD_MBAR_EXPECT, 0},
    {"mbarrier.arrive_drop.noComplete", HD_OP_MBAR_DROP_B64, PATTERN, HD_MBAR_INCOMPLETE, 0},
    {"mbarrier.test_wait", HD_OP_MBAR_TEST_B64, PATTERN, 0, 0},
    {"mbarrier.test_wait.parity", HD_OP_MBAR_TEST_B64, PATTERN, HD_MBAR_PARITY, 0},
    {"mbarrier.try_wait", HD_OP_MBAR_TRY_B64, PATTERN, 0, 0},
    {"mbarrier.try_wait.parity", HD_OP_MBAR_TRY_B64, PATTERN, HD_MBAR_PARITY, 0},
    {"mbarrier.pending_count", HD_OP_MBAR_PENDING_B64, PATTERN, 0, 0},
    {"griddepcontrol.launch_dependents", HD_OP_GRID_DEP, NONE, 0, 0},
    {"griddepcontrol.wait", HD_OP_GRID_DEP, NONE, 0, 0},
    {"pmevent", HD_OP_PM_EVENT, LESS, 0, 0},
    {"pmevent.mask", HD_OP_PM_EVENT, LESS, 0, 0},
    {"setmaxnreg.inc.sync.aligned", HD_OP_MAX_REGS, LESS, 0, 0},
    {"setmaxnreg.dec.sync.aligned", HD_OP_MAX_REGS, LESS, 0, 0},
    {"createpolicy.fractional", HD_OP_MOV_B64, POLICY, 0, 0},
    {"createpolicy.range", HD_OP_MOV_B64, POLICY, 0, 0},
    {"createpolicy.cvt", HD_OP_MOV_B64, POLICY, 0, 0},
    {"mapa", HD_OP_MOV_B64, SAME_ADDRESS, 0, 0},
    {"getctarank", HD_OP_MOV_B32, RANK, 0, 0},
};

static const struct form *find_form(const char *words)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(forms[i].words, words))
            return &forms[i];
    return NULL;
}

// Whether this is a form, or the beginning of one up to a dot.
static bool begins_form(const char *words)
{
    size_t n = strlen(words);

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strncmp(forms[i].words, words, n) &&
            (forms[i].words[n] == '.' || forms[i].words[n] == '\0'))
            return true;
    return false;
}

bool hd_async_ops_named(struct hd_slice opcode)
{
    char word[24];

    if (opcode.n >= sizeof word)
        return false;
    memcpy(word, opcode.s, opcode.n);
    word[opcode.n] = '\0';
    return begins_form(word);
}

struct words { // of one instruction, while they are being sorted
    const struct hd_select_from *from;
    const struct hd_ast_insn *in;
    struct hd_select *out;
    uint8_t spaces[3]; // enum hd_space
    unsigned n_spaces;
    bool wide; // a type of 64 bits
};

static struct hd_diag_entry *complain(const struct words *w, const char *text)
{
    return hd_select_complain(w->from, w->in, w->out, text);
}

static bool take_space(struct words *w, struct hd_slice word)
{
    bool shared = hd_lex_is(word, "shared") || hd_lex_is(word, "shared::cta") ||
                  hd_lex_is(word, "shared::cluster");

    if ((!shared && !hd_lex_is(word, "global")) || w->n_spaces == 3)
        return false;
    w->spaces[w->n_spaces++] = shared ? HD_SPACE_SHARED : HD_SPACE_GLOBAL;
    return true;
}

// Words that have no effect here.
static bool idle_word(struct words *w, struct hd_slice word)
{
    static const char *const idle[] = {"relaxed",  "acquire",  "release", "cta", "cluster",
                                       "gpu",      "sys",      "b32",     "u32", "L2::64B",
                                       "L2::128B", "L2::256B", "L2"};

    w->wide |= hd_lex_is(word, "b64") || hd_lex_is(word, "u64");
    if (hd_lex_is(word, "L2::cache_hint")) {
        w->out->hinted = true;
        return true;
    }
    if (hd_lex_is(word, "b64") || hd_lex_is(word, "u64"))
        return true;
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (hd_lex_is(word, idle[i]))
            return true;
    return hd_lex_is(w->in->op, "createpolicy") && word.n > 4 && !memcmp(word.s, "L2::", 4);
}

static bool take_word(struct words *w, struct hd_slice word)
{
    char longer[sizeof w->out->name];
    int n = snprintf(longer, sizeof longer, "%s.%.*s", w->out->name, HD_SLICE_ARG(word));

    if (n > 0 && (size_t)n < sizeof longer && begins_form(longer)) {
        memcpy(w->out->name, longer, (size_t)n + 1);
        return true;
    }
    return take_space(w, word) || idle_word(w, word);
}

static bool check_spaces(struct words *w, const struct form *f)
{
    uint8_t first = w->n_spaces ? w->spaces[0] : HD_SPACE_GENERIC;
    uint8_t second = w->n_spaces > 1 ? w->spaces[1] : HD_SPACE_GENERIC;
    const char *wrong = NULL;

    switch ((enum operands)f->operands) {
    case COPY:
    case BULK_LOAD:
        if (first != HD_SPACE_SHARED || second != HD_SPACE_GLOBAL)
            wrong = "copies from .global to .shared only";
        w->out->space = HD_SPACE_GLOBAL;
        break;
    case BULK_STORE:
        if (first != HD_SPACE_GLOBAL || second != HD_SPACE_SHARED)
            wrong = "copies from .shared to .global only";
        w->out->space = HD_SPACE_GLOBAL;
        break;
    case PATTERN:
        if (first == HD_SPACE_GLOBAL)
            wrong = "works on .shared only";
        w->out->space = f->op == HD_OP_MBAR_PENDING_B64 ? HD_SPACE_NONE : first;
        break;
    default:
        break;
    }
    if (wrong)
        complain(w, wrong);
    return !wrong;
}

bool hd_async_ops_select(const struct hd_select_from *from, const struct hd_ast_insn *in,
                         struct hd_select *out)
{
    struct words w = {.from = from, .in = in, .out = out};
    const struct form *f;

    snprintf(out->name, sizeof out->name, "%.*s", HD_SLICE_ARG(in->op));
    for (uint32_t i = 0; i < in->n_mods; i++) {
        const struct hd_ast_mod *m = &from->ast->mods[in->mods + i];
        if (!take_word(&w, m->text)) {
            hd_diag_add(from->diag, from->path, m->place.line, m->place.column,
                        "'%s': unsupported modifier '.%.*s'", out->name, HD_SLICE_ARG(m->text));
            return false;
        }
    }
    if (!(f = find_form(out->name))) {
        complain(&w, "needs another modifier");
        return false;
    }
    out->op = f->op;
    out->mods = f->mods;
    out->no_l1 = !strcmp(f->words, "cp.async.cg");
    if (f->operands == SAME_ADDRESS && !w.wide)
        out->op = HD_OP_MOV_B32;
    out->type = hd_op_info[out->op].type;
    out->dtype = hd_op_info[out->op].dtype;
    return check_spaces(&w, f);
}

const char *hd_async_ops_pattern(const struct hd_select *sel)
{
    bool more = sel->mods & (HD_MBAR_EXPECT | HD_MBAR_INCOMPLETE);

    switch (sel->op) {
    case HD_OP_MBAR_INIT_B64:
    case HD_OP_MBAR_EXPECT_B64:
    case HD_OP_MBAR_COMPLETE_B64:
        return "MN";
    case HD_OP_MBAR_ARRIVE_B64:
    case HD_OP_MBAR_DROP_B64:
        return more ? "DMN" : "DM?N";
    case HD_OP_MBAR_TEST_B64:
        return sel->mods & HD_MBAR_PARITY ? "pMN" : "pMA";
    case HD_OP_MBAR_TRY_B64:
        return sel->mods & HD_MBAR_PARITY ? "pMN?N" : "pMA?N";
    default:
        return "M";
    }
}

// --- operands

struct list { // the operands that have not been read yet
    const struct hd_ast_operand *o;
    unsigned n;
};

static const struct hd_ast_operand *take(struct list *l)
{
    const struct hd_ast_operand *o = l->n ? l->o : NULL;

    if (o) {
        l->o = o->next;
        l->n--;
    }
    return o;
}

static bool wrong_operand(const struct hd_match *m, const struct hd_ast_operand *o,
                          const char *what)
{
    hd_values_complain(m, o ? o->place : m->in->place, "expected %s", what);
    return false;
}

// An address: its register, or the address of a variable, goes into place k of vector `at`, and its
// offset into the same place of the next vector.
static bool match_place(struct hd_match *m, struct list *l, uint32_t at, unsigned k)
{
    const struct hd_ast_operand *o = take(l), *base;
    int32_t row = HD_ROW_NONE;
    bool narrow = false;

    if (!o || o->kind != HD_AST_ADDR || (o->child && o->child->next))
        return wrong_operand(m, o, "an address such as [%rd1+16]");
    if (o->value < INT32_MIN || o->value > INT32_MAX)
        return wrong_operand(m, o, "an offset of 32 bits");
    m->lo->vecs[at + 1][k] = (int32_t)o->value;
    if (!(base = o->child))
        return true;
    if (base->kind != HD_AST_REG && base->kind != HD_AST_VAR)
        return wrong_operand(m, base, "a register or a variable");
    if (base->kind == HD_AST_REG)
        narrow = hd_type_bytes((enum hd_type)m->f->regs[base->index].type) == 4;
    if (!hd_values_source(m, base, narrow ? HD_B32 : HD_B64, false, HD_AT_VEC, 4 * at + k, &row))
        return false;
    m->lo->vecs[at][k] = row;
    if (narrow)
        m->insn->mods = (uint16_t)(m->insn->mods | HD_COPY_A32(k));
    return true;
}

static bool match_size(struct hd_match *m, struct list *l, uint32_t at)
{
    const struct hd_ast_operand *o = take(l);
    int32_t row = HD_ROW_NONE;

    if (!o)
        return wrong_operand(m, o, "a number of bytes");
    if (!hd_values_source(m, o, HD_U32, false, HD_AT_VEC, 4 * at + 2, &row))
        return false;
    m->lo->vecs[at][2] = row;
    return true;
}

// The end of cp.async: the number of bytes, then the number of bytes to read or a predicate under
// which nothing is read.
static bool match_piece(struct hd_match *m, struct list *l, uint32_t at)
{
    const struct hd_ast_operand *o = take(l);
    bool cg = m->sel.no_l1;

    if (!o || o->kind != HD_AST_INT ||
        !(o->value == 16 || (!cg && (o->value == 4 || o->value == 8))))
        return wrong_operand(m, o, cg ? "16 bytes" : "4, 8 or 16 bytes");
    m->insn->vec = m->deps->bytes = (uint8_t)o->value;
    if (!l->n)
        return true;
    if (l->o->kind != HD_AST_REG || m->f->regs[l->o->index].type != HD_PRED)
        return match_size(m, l, at);
    o = take(l);
    hd_values_predicate(m, o, HD_AT_DST);
    return true;
}

static bool match_copy(struct hd_match *m, enum operands what, struct list *l)
{
    uint32_t at = hd_values_vector(m);

    hd_values_vector(m);
    m->insn->src[0] = (int32_t)at;
    for (unsigned k = 0; k < 4; k++)
        m->lo->vecs[at + 1][k] = 0;
    if (!match_place(m, l, at, 0) || !match_place(m, l, at, 1))
        return false;
    if (what == COPY)
        return match_piece(m, l, at);
    return match_size(m, l, at) && (what != BULK_LOAD || match_place(m, l, at, 3));
}

static bool match_less(struct hd_match *m, struct list *l)
{
    const struct hd_ast_operand *o = take(l);

    if (!o || o->kind != HD_AST_INT || o->value < 0)
        return wrong_operand(m, o, "a number");
    m->insn->imm = o->value;
    return true;
}

// createpolicy and getctarank return 0, mapa returns its operand.
static bool match_constant(struct hd_match *m, enum operands what, struct list *l)
{
    enum hd_type t = (enum hd_type)m->sel.dtype;
    const struct hd_ast_operand *o = take(l);

    if (!o || !hd_values_result(m, o, t, HD_AT_DST, m->pc))
        return o ? false : wrong_operand(m, o, "a register");
    m->insn->src[0] = t == HD_B64 ? hd_pool_pair(&m->lo->pool, 0) : hd_pool_word(&m->lo->pool, 0);
    if (what == SAME_ADDRESS) {
        o = take(l);
        if (!o || !l->n)
            return wrong_operand(m, o, "an address and a rank");
        return hd_values_source(m, o, t, false, HD_AT_SRC0, m->pc, &m->insn->src[0]) && take(l);
    }
    while (take(l)) // a policy may have any number of operands
        ;
    return true;
}

static enum operands operands_of(const struct hd_select *sel)
{
    return (enum operands)find_form(sel->name)->operands;
}

bool hd_async_ops_match(struct hd_match *m)
{
    enum operands what = operands_of(&m->sel);
    struct list l = {m->in->operands, m->n_operands};
    bool good = true;

    switch (what) {
    case COPY:
    case BULK_LOAD:
    case BULK_STORE:
        good = match_copy(m, what, &l);
        break;
    case LESS:
        good = match_less(m, &l);
        break;
    case POLICY:
    case SAME_ADDRESS:
    case RANK:
        good = match_constant(m, what, &l);
        break;
    case NONE:
    case PATTERN:
        break;
    }
    if (good && l.n)
        hd_values_complain(m, l.o->place, "one operand too many");
    return good && !l.n;
}

bool hd_async_ops_matched(const struct hd_select *sel)
{
    return hd_op_info[sel->op].shape != HD_SHAPE_MBAR && find_form(sel->name) &&
           find_form(sel->name)->operands != PATTERN;
}
