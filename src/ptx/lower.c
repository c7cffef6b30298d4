// lower.c - lowers one function to the columns of the program.
//
// For each instruction: which operation it is (select.c), which operands it has (patterns.c), and
// the data for the timing model. Then control flow, liveness, and rows for all registers.
//
// The register count of a kernel is an estimate (pressure.c), limited by .maxnreg and by what the
// target can name. The program also stores the largest number of 32-bit registers alive between two
// instructions: 64-bit registers count twice, predicates do not count, and special registers count
// only once they are moved into a register. What .maxntid and .minnctapersm allow depends on the
// machine (gpu/registers.c). If the true number is known, the job or a file beside the PTX gives
// it.
//
// Scoreboard ids are the numbers of registers in the order of their first mention. The ids of
// functions follow those of kernels and of earlier functions. In a function of more than 65,534
// registers, those with the same remainder share an id: as they are first mentioned far apart, they
// are seldom in flight together, and then one waits for the other.
//
// The parameters of a function are in the local memory of its frame, so .param accesses to them
// become .local accesses, and so do accesses of a kernel to the .param variables of its calls.
//
// A generic access counts as one that may leave the SM unless spaces.c finds its state space.
#include "ptx/lower.h"

#include "ptx/patterns.h"
#include "ptx/pressure.h"
#include "ptx/spaces.h"

#include <string.h>

#define MAX_REGS (UINT32_C(1) << 24) // of one function

static void init_columns(struct hd_match *m)
{
    m->insn = &m->lo->insns[m->pc];
    m->deps = &m->lo->deps[m->pc];
    m->banks = &m->lo->banks[m->pc];
    memset(m->deps, 0xff, offsetof(struct hd_deps, kind)); // HD_SB_NONE
    m->insn->guard = HD_PRED_TRUE;
    m->insn->dst = HD_ROW_NONE;
    for (unsigned i = 0; i < 3; i++)
        m->insn->src[i] = HD_ROW_NONE;
}

// The index of .file `number` of the module, or HD_AST_NONE.
static uint32_t file_of(const struct hd_ast *ast, uint32_t module, uint32_t number)
{
    for (uint32_t k = 0; k < ast->n_files; k++) { // numbers count from 1, as a rule without gaps
        uint32_t i = (number - 1 + k) % ast->n_files;
        if (ast->files[i].number == number && ast->files[i].module == module)
            return i;
    }
    return HD_AST_NONE;
}

// The index, in the program's list of inlined calls, of the call at this .loc.
static uint32_t enter_call(struct hd_match *m, uint32_t loc)
{
    struct hd_lower *lo = m->lo;
    const struct hd_ast_loc *l = loc == HD_AST_NONE ? NULL : &lo->ast->locs[loc];
    uint32_t file = l ? file_of(lo->ast, m->f->module, l->file) : HD_AST_NONE;

    if (file == HD_AST_NONE)
        return HD_NOT_INLINED;
    if (!lo->loc_inlined[loc]) { // the depth is bounded by the parser
        struct hd_inlined call = {l->line, file, enter_call(m, l->caller)};
        *HD_PUSH(lo->arena, lo->inlined, lo->n_inlined, lo->inlined_cap) = call;
        lo->loc_inlined[loc] = lo->n_inlined;
    }
    return lo->loc_inlined[loc] - 1;
}

static void enter_place(struct hd_match *m, uint32_t number)
{
    const struct hd_ast_loc *l = m->in->loc == HD_AST_NONE ? NULL : &m->lo->ast->locs[m->in->loc];
    struct hd_place *p = &m->lo->places[m->pc];
    uint32_t file = l && l->line ? file_of(m->lo->ast, m->f->module, l->file) : HD_AST_NONE;

    p->line = m->in->place.line;
    p->func = number;
    p->inlined = HD_NOT_INLINED;
    if (file == HD_AST_NONE)
        return;
    p->source_line = l->line;
    p->source_file = file;
    p->inlined = enter_call(m, l->caller);
}

static bool may_leave_sm(unsigned space)
{
    return space == HD_SPACE_GLOBAL || space == HD_SPACE_LOCAL || space == HD_SPACE_TEX ||
           space == HD_SPACE_GENERIC;
}

static void enter_space(struct hd_deps *d, uint8_t space)
{
    bool leaves = may_leave_sm(space);

    d->space = space;
    d->flags &= (uint8_t) ~(HD_DEP_OFFCHIP | HD_DEP_LONG);
    if (leaves)
        d->flags |= HD_DEP_OFFCHIP;
    if (d->kind != HD_KIND_STORE && (leaves || space == HD_SPACE_PARAM))
        d->flags |= HD_DEP_LONG;
}

// .param stands for two spaces: the parameters of a kernel, and the arguments of calls.
static bool settle_param(struct hd_match *m)
{
    const struct hd_ast_operand *o = m->in->operands;

    if (m->sel.space != HD_SPACE_PARAM)
        return true;
    while (o && o->kind != HD_AST_ADDR)
        o = o->next;
    bool of_call =
        o && o->child && o->child->kind == HD_AST_VAR && m->lo->ast->vars[o->child->index].in_body;
    if (!m->f->is_kernel || of_call)
        m->sel.space = HD_SPACE_LOCAL;
    else if (hd_op_info[m->sel.op].kind == HD_KIND_STORE) {
        hd_values_complain(m, m->in->place, "the parameters of a kernel cannot be written");
        return false;
    }
    return true;
}

// Enter everything that does not depend on operands.
static void enter_facts(struct hd_match *m)
{
    const struct hd_op_info *o = &hd_op_info[m->sel.op];
    bool memory = o->kind == HD_KIND_LOAD || o->kind == HD_KIND_STORE || o->kind == HD_KIND_ATOMIC;

    m->insn->op = (uint16_t)m->sel.op;
    m->insn->mods = m->sel.mods;
    m->insn->space = m->sel.space;
    m->insn->vec = m->sel.vec;
    m->deps->kind = o->kind;
    m->deps->unit = o->unit;
    m->deps->lat = HD_LAT(o->lat_op, hd_type_column((enum hd_type)m->sel.type));
    if (memory) {
        m->deps->bytes = (uint8_t)hd_type_bytes((enum hd_type)m->sel.type);
        enter_space(m->deps, m->sel.space);
    }
    if (m->sel.no_l1 || (o->shape == HD_SHAPE_COPY && m->sel.op != HD_OP_CP_ASYNC))
        m->deps->flags |= HD_DEP_NO_L1;
    if (o->shape == HD_SHAPE_COPY || m->sel.op == HD_OP_CP_ARRIVE_B64)
        m->deps->flags |= HD_DEP_ASYNC;
    if (m->sel.op == HD_OP_MBAR_TRY_B64)
        m->deps->flags |= HD_DEP_PHASE;
    if (m->sel.uniform && o->kind == HD_KIND_BRANCH)
        m->deps->flags |= HD_DEP_UNIFORM;
}

static void enter_table(const struct hd_match *m, struct hd_flow_step *step)
{
    uint32_t *targets = HD_ARRAY(m->lo->scratch, uint32_t, (uint32_t)m->insn->dst);

    step->kind = HD_FLOW_TABLE;
    step->targets = targets;
    step->n_targets = (uint32_t)m->insn->dst;
    for (uint32_t i = 0; i < step->n_targets; i++) {
        uint32_t pc = m->lo->targets[HD_TARGET_PC(m->insn->imm) + i];
        targets[i] = pc - m->first_pc;
        if (pc <= m->pc)
            m->deps->flags |= HD_DEP_BACKWARD;
    }
}

static void enter_step(const struct hd_match *m, struct hd_flow_step *step)
{
    step->guarded = m->in->guard != HD_AST_NONE;
    switch (m->deps->kind) {
    case HD_KIND_BRANCH:
        if (m->insn->op == HD_OP_BRX) {
            enter_table(m, step);
            break;
        }
        step->kind = HD_FLOW_JUMP;
        step->target = HD_TARGET_PC(m->insn->imm) - m->first_pc;
        if (HD_TARGET_PC(m->insn->imm) <= m->pc)
            m->deps->flags |= HD_DEP_BACKWARD;
        break;
    case HD_KIND_RET:
    case HD_KIND_EXIT:
        step->kind = HD_FLOW_END;
        break;
    default:
        step->kind = HD_FLOW_NEXT;
    }
}

// A return reads the results that are in registers.
static void return_registers(struct hd_match *m)
{
    for (uint32_t i = 0; i < m->f->n_rets; i++) {
        const struct hd_ast_var *v = &m->lo->ast->vars[m->f->first_ret + i];
        if (v->in_reg)
            *HD_PUSH(m->lo->scratch, m->refs, m->n_refs, m->ref_cap) =
                (struct hd_live_ref){m->pc - m->first_pc, v->symbol, HD_LIVE_USE};
    }
}

// Decode all instructions. Returns false if one was refused.
static bool decode(struct hd_match *m, uint32_t number, struct hd_flow_step *steps)
{
    struct hd_lower *lo = m->lo;
    struct hd_select_from from = {lo->scratch, lo->diag, lo->path, lo->ast};
    bool good = true;

    for (uint32_t i = 0; i < m->f->n_insns && lo->diag->n < HD_DIAG_MAX; i++) {
        m->in = &m->f->insns[i];
        m->pc = m->first_pc + i;
        init_columns(m);
        enter_place(m, number);
        if (!hd_select_op(&from, m->in, &m->sel)) {
            good = false;
            continue;
        }
        if (!settle_param(m)) {
            good = false;
            continue;
        }
        enter_facts(m);
        if (!hd_patterns_match(m)) {
            good = false;
            continue;
        }
        m->uses_stack |= hd_op_info[m->sel.op].shape == HD_SHAPE_ALLOCA ||
                         hd_op_info[m->sel.op].shape == HD_SHAPE_SAVE ||
                         hd_op_info[m->sel.op].shape == HD_SHAPE_RESTORE;
        if (m->deps->kind == HD_KIND_RET)
            return_registers(m);
        enter_step(m, &steps[i]);
    }
    return good && lo->diag->n < HD_DIAG_MAX;
}

static void set_reconvergence(const struct hd_match *m, const struct hd_flow *flow)
{
    for (uint32_t i = 0; i < m->f->n_insns; i++) {
        struct hd_insn *in = &m->lo->insns[m->first_pc + i];
        if (m->lo->deps[m->first_pc + i].kind != HD_KIND_BRANCH)
            continue;
        uint32_t meet = hd_flow_reconvergence(flow, i);
        in->imm = HD_TARGET(HD_TARGET_PC(in->imm),
                            meet == HD_FLOW_NONE ? HD_PC_NONE : m->first_pc + meet);
    }
}

static void narrow_spaces(const struct hd_match *m)
{
    const uint8_t *spaces = hd_spaces_find(m->lo, m->f, m->first_pc);

    for (uint32_t i = 0; i < m->f->n_insns; i++)
        if (spaces[i] != HD_SPACE_NONE)
            enter_space(&m->lo->deps[m->first_pc + i], spaces[i]);
}

// --- storage

struct storage {
    int32_t *rows, *preds; // by register, -1: none
    int32_t special[HD_N_SREGS];
    uint32_t never; // predicate number that no instruction writes
    uint32_t carry; // predicate number of the condition code
    uint32_t sink;  // predicate number that no instruction reads
};

static void patch(const struct hd_match *m, const struct storage *st, const struct hd_fixup *x)
{
    int32_t value;

    if (x->reg == HD_VALUES_NEVER)
        value = (int32_t)st->never;
    else if (x->reg == HD_VALUES_CARRY)
        value = (int32_t)st->carry;
    else if (x->reg == HD_VALUES_SINK)
        value = (int32_t)st->sink;
    else if (x->reg >= m->n_regs)
        value = st->special[x->reg - m->n_regs];
    else
        value = m->f->regs[x->reg].type == HD_PRED ? st->preds[x->reg] : st->rows[x->reg];
    if (x->negated)
        value |= (int32_t)HD_PRED_NOT;
    if (x->at == HD_AT_VEC) {
        m->lo->vecs[x->where / 4][x->where % 4] = value;
        return;
    }
    if (x->at == HD_AT_ARG) {
        m->args[x->where].row = value;
        return;
    }
    struct hd_insn *in = &m->lo->insns[x->where];
    switch (x->at) {
    case HD_AT_DST:
        in->dst = value;
        break;
    case HD_AT_DST2:
        in->dst = (int32_t)((uint32_t)in->dst & 0xffff) | (int32_t)((uint32_t)value << 16);
        break;
    case HD_AT_IMM:
        in->imm = HD_WARP_IMM(value, HD_WARP_PRED(in->imm));
        break;
    case HD_AT_IMM2:
        in->imm = HD_WARP_IMM(HD_WARP_ROW(in->imm), value);
        break;
    default:
        in->src[x->at - HD_AT_SRC0] = value;
    }
}

// The second predicate of setp is 0xffff unless it is named.
static void patch_all(const struct hd_match *m, const struct storage *st)
{
    for (uint32_t i = 0; i < m->n_fixups; i++) {
        patch(m, st, &m->fixups[i]);
        if (m->fixups[i].at != HD_AT_DST)
            continue;
        struct hd_insn *in = &m->lo->insns[m->fixups[i].where];
        if (hd_op_info[in->op].shape == HD_SHAPE_PAB)
            in->dst = (int32_t)((uint32_t)in->dst | 0xffff0000u);
    }
    for (uint32_t i = 0; i < m->f->n_insns; i++) {
        const struct hd_ast_insn *in = &m->f->insns[i];
        if (in->guard != HD_AST_NONE)
            m->lo->insns[m->first_pc + i].guard =
                (uint16_t)((uint32_t)st->preds[in->guard] | (in->guard_not ? HD_PRED_NOT : 0));
    }
}

static bool uses(const struct hd_match *m, uint32_t reg)
{
    for (uint32_t i = 0; i < m->n_fixups; i++)
        if (m->fixups[i].reg == reg)
            return true;
    return false;
}

// Arguments and results that are registers of the function. A register that is never mentioned has
// no row.
static void place_args(const struct hd_match *m, const struct storage *st, struct hd_func *out)
{
    const struct hd_ast_func *f = m->f;
    uint32_t n = (uint32_t)out->n_rets + out->n_args;
    struct hd_arg *args = HD_ARRAY(m->lo->arena, struct hd_arg, n);

    for (uint32_t i = 0; i < n; i++) {
        const struct hd_ast_var *v =
            &m->lo->ast->vars[i < f->n_rets ? f->first_ret + i : f->first_param + i - f->n_rets];
        args[i] = out->args[i];
        if (!v->in_reg)
            continue;
        args[i].row = st->rows[v->symbol] < 0 ? HD_ROW_NONE : st->rows[v->symbol];
        args[i].bytes = st->rows[v->symbol] < 0 ? 0 : args[i].bytes;
    }
    out->args = args;
}

// Complete the calls now that all registers have rows.
static void finish_calls(const struct hd_match *m, const uint32_t *after, uint32_t first_call)
{
    struct hd_lower *lo = m->lo;
    struct hd_arg *args = HD_ARRAY(lo->arena, struct hd_arg, m->n_args);
    uint32_t at = 0;

    if (m->n_args)
        memcpy(args, m->args, m->n_args * sizeof *args);
    for (uint32_t i = first_call; i < lo->n_calls; i++) {
        lo->calls[i].args = args + at;
        at += (uint32_t)lo->calls[i].n_rets + lo->calls[i].n_args;
    }
    for (uint32_t i = 0; i < m->f->n_insns; i++)
        if (lo->deps[m->first_pc + i].kind == HD_KIND_CALL)
            lo->call_live[lo->insns[m->first_pc + i].imm] = after[i];
}

// --- the instructions as the estimate of registers sees them (pressure.h)

static bool is_grid_size(uint32_t sreg)
{
    return (sreg >= HD_SREG_NTID_X && sreg <= HD_SREG_NTID_Z) ||
           (sreg >= HD_SREG_NCTAID_X && sreg <= HD_SREG_NCTAID_Z);
}

// Whether the result is constant if all sources are: moves, address conversions, and loads of what
// the hardware keeps in constant memory.
static bool passes_constants(const struct hd_match *m, const struct hd_ast_insn *in,
                             const struct hd_insn *x)
{
    bool move = x->op == HD_OP_MOV_B16 || x->op == HD_OP_MOV_B32 || x->op == HD_OP_MOV_B64 ||
                x->op == HD_OP_CVTA_B64 || x->op == HD_OP_CVTA_TO_B64;
    bool load = hd_op_info[x->op].kind == HD_KIND_LOAD &&
                (x->space == HD_SPACE_PARAM || x->space == HD_SPACE_CONST);

    for (const struct hd_ast_operand *o = in->operands; o; o = o->next)
        if (o->kind == HD_AST_SREG && !is_grid_size(o->index))
            return false;
    return (move || load) && in->guard == HD_AST_NONE && m->f->is_kernel;
}

static bool says(const struct hd_match *m, const struct hd_ast_insn *in, const char *word)
{
    for (uint32_t i = 0; i < in->n_mods; i++)
        if (hd_lex_is(m->lo->ast->mods[in->mods + i].text, word))
            return true;
    return false;
}

static uint32_t address_register(const struct hd_ast_insn *in)
{
    for (const struct hd_ast_operand *o = in->operands; o; o = o->next)
        if (o->kind == HD_AST_ADDR && o->child && o->child->kind == HD_AST_REG)
            return o->child->index;
    return HD_FLOW_NONE;
}

static uint8_t pressure_kind(const struct hd_insn *x, bool constant)
{
    if (hd_op_info[x->op].shape == HD_SHAPE_COPY)
        return HD_PRESSURE_WRITE;
    switch (hd_op_info[x->op].kind) {
    case HD_KIND_LOAD:
        return constant || x->space == HD_SPACE_PARAM ? HD_PRESSURE_PLAIN : HD_PRESSURE_READ;
    case HD_KIND_STORE:
    case HD_KIND_ATOMIC:
        return HD_PRESSURE_WRITE;
    case HD_KIND_BARRIER:
    case HD_KIND_MEMBAR:
    case HD_KIND_CALL:
    case HD_KIND_COPIES:
        return HD_PRESSURE_FENCE;
    case HD_KIND_ALU:
        return HD_PRESSURE_PLAIN;
    default:
        return HD_PRESSURE_JUMP;
    }
}

// How the instruction is folded: see enum hd_pressure_fold.
static uint8_t folds(const struct hd_ast_insn *in, const struct hd_insn *x)
{
    unsigned regs = 0, numbers = 0, others = 0;

    if (in->guard != HD_AST_NONE)
        return HD_PRESSURE_RESULT;
    for (const struct hd_ast_operand *o = in->operands; o; o = o->next) {
        regs += o->kind == HD_AST_REG;
        numbers += o->kind == HD_AST_INT;
        others += o->kind != HD_AST_REG && o->kind != HD_AST_INT;
    }
    switch (x->op) {
    case HD_OP_MOV_B16:
    case HD_OP_MOV_B32:
    case HD_OP_MOV_B64:
    case HD_OP_CVTA_B64:
    case HD_OP_CVTA_TO_B64:
    case HD_OP_CVT_U64_U32:
        return regs == 2 && !others ? HD_PRESSURE_SAME : HD_PRESSURE_RESULT;
    case HD_OP_CVT_S64_S32:
        return regs == 2 ? HD_PRESSURE_SCALED : HD_PRESSURE_RESULT;
    case HD_OP_MUL_WIDE_S32:
    case HD_OP_MUL_WIDE_U32:
    case HD_OP_SHL_B64:
        return regs == 2 && numbers == 1 ? HD_PRESSURE_SCALED : HD_PRESSURE_RESULT;
    case HD_OP_ADD_S64:
    case HD_OP_ADD_U64:
        return regs == 2 && numbers == 1 ? HD_PRESSURE_OFFSET : HD_PRESSURE_ADD;
    default:
        return HD_PRESSURE_RESULT;
    }
}

static uint8_t work_of(const struct hd_insn *x)
{
    switch (x->op) {
    case HD_OP_DIV_S32:
    case HD_OP_DIV_U32:
    case HD_OP_REM_S32:
    case HD_OP_REM_U32:
        return HD_PRESSURE_DIV32;
    case HD_OP_DIV_S64:
    case HD_OP_DIV_U64:
    case HD_OP_REM_S64:
    case HD_OP_REM_U64:
        return HD_PRESSURE_DIV64;
    case HD_OP_DIV_F32:
        return HD_PRESSURE_DIV_F32;
    case HD_OP_SQRT_F32:
    case HD_OP_RCP_F32:
        return HD_PRESSURE_ROOT_F32;
    case HD_OP_DIV_F64:
        return HD_PRESSURE_DIV_F64;
    case HD_OP_SQRT_F64:
    case HD_OP_RCP_F64:
        return HD_PRESSURE_ROOT_F64;
    default:
        return hd_op_info[x->op].kind == HD_KIND_CALL ? HD_PRESSURE_CALL : HD_PRESSURE_SIMPLE;
    }
}

static bool stays_uniform(const struct hd_ast_insn *in, const struct hd_insn *x)
{
    unsigned type = hd_op_info[x->op].type, to = hd_op_info[x->op].dtype;

    for (const struct hd_ast_operand *o = in->operands; o; o = o->next)
        if (o->kind == HD_AST_SREG && !is_grid_size(o->index) &&
            !(o->index >= HD_SREG_CTAID_X && o->index <= HD_SREG_CTAID_Z))
            return false;
    return hd_op_info[x->op].kind == HD_KIND_ALU && in->guard == HD_AST_NONE && type != HD_F16 &&
           type != HD_F32 && type != HD_F64 && to != HD_F32 && to != HD_F64 && to != HD_F16 &&
           work_of(x) == HD_PRESSURE_SIMPLE;
}

// Whether it is an add or sub of a constant that changes a register of 32 or 64 bits.
static bool is_step(const struct hd_ast_insn *in, const struct hd_insn *x)
{
    const struct hd_ast_operand *to = in->operands, *from = to ? to->next : NULL;
    const struct hd_ast_operand *by = from ? from->next : NULL;

    switch (x->op) {
    case HD_OP_ADD_S32:
    case HD_OP_ADD_U32:
    case HD_OP_ADD_S64:
    case HD_OP_ADD_U64:
    case HD_OP_SUB_S32:
    case HD_OP_SUB_U32:
    case HD_OP_SUB_S64:
    case HD_OP_SUB_U64:
        return in->guard == HD_AST_NONE && by && to->kind == HD_AST_REG &&
               from->kind == HD_AST_REG && to->index == from->index && by->kind == HD_AST_INT;
    default:
        return false;
    }
}

static struct hd_pressure_insn *pressure_insns(const struct hd_match *m)
{
    struct hd_pressure_insn *list =
        HD_ARRAY(m->lo->scratch, struct hd_pressure_insn, m->f->n_insns);

    for (uint32_t i = 0; i < m->f->n_insns; i++) {
        const struct hd_ast_insn *in = &m->f->insns[i];
        const struct hd_insn *x = &m->lo->insns[m->first_pc + i];
        struct hd_pressure_insn *p = &list[i];
        p->constant = passes_constants(m, in, x);
        p->kind = pressure_kind(x, p->constant);
        p->fold = folds(in, x);
        p->work = work_of(x);
        p->step = is_step(in, x);
        p->test = hd_op_info[x->op].shape == HD_SHAPE_PAB &&
                  !hd_type_is_float((enum hd_type)hd_op_info[x->op].type);
        p->nounroll = m->f->nounroll || in->nounroll;
        p->uniform = m->f->is_kernel && stays_uniform(in, x);
        p->space = x->space;
        p->read_only = x->space == HD_SPACE_CONST || x->space == HD_SPACE_TEX || says(m, in, "nc");
        p->address = p->kind == HD_PRESSURE_READ || p->kind == HD_PRESSURE_WRITE
                         ? address_register(in)
                         : HD_FLOW_NONE;
    }
    return list;
}

static void give_storage(struct hd_match *m, const struct hd_flow *flow, uint32_t first_call,
                         struct hd_func *out)
{
    struct hd_lower *lo = m->lo;
    uint32_t n = m->n_regs, n_insns = m->f->n_insns;
    uint8_t *words = HD_ARRAY(lo->scratch, uint8_t, n), *bits = HD_ARRAY(lo->scratch, uint8_t, n);
    struct hd_live_range *ranges = HD_ARRAY(lo->scratch, struct hd_live_range, n);
    struct hd_special *specials = HD_ARRAY(lo->arena, struct hd_special, HD_N_SREGS);
    uint32_t *after = HD_ARRAY(lo->scratch, uint32_t, n_insns);
    struct hd_live_outs outs = {.n = 0};
    struct storage st = {.rows = HD_ARRAY(lo->scratch, int32_t, n),
                         .preds = HD_ARRAY(lo->scratch, int32_t, n)};

    for (uint32_t r = 0; r < n; r++) {
        words[r] = (uint8_t)hd_type_rows((enum hd_type)m->f->regs[r].type);
        bits[r] = m->f->regs[r].type == HD_PRED;
    }
    out->regs_live =
        hd_live_find(lo->scratch, flow, m->refs, m->n_refs, words, n, ranges, after, &outs);
    out->regs = hd_pressure_estimate(lo->scratch,
                                     &(struct hd_pressure){.flow = flow,
                                                           .refs = m->refs,
                                                           .n_refs = m->n_refs,
                                                           .words = words,
                                                           .n_regs = n,
                                                           .outs = &outs,
                                                           .insns = pressure_insns(m)},
                                     out->regs_live);
    out->n_rows = hd_live_pack(lo->scratch, ranges, words, n, n_insns, st.rows);
    out->n_preds = hd_live_pack(lo->scratch, ranges, bits, n, n_insns, st.preds);
    if (uses(m, HD_VALUES_NEVER))
        st.never = out->n_preds++;
    if (uses(m, HD_VALUES_CARRY))
        st.carry = out->n_preds++;
    if (uses(m, HD_VALUES_SINK))
        st.sink = out->n_preds++;
    for (unsigned s = 0; s < HD_N_SREGS; s++)
        if (m->special_used[s]) {
            unsigned width = hd_type_rows(hd_sreg_type(s));
            out->n_rows += width == 2 && out->n_rows % 2;
            st.special[s] = (int32_t)out->n_rows;
            out->n_rows += width;
            specials[out->n_specials++] = (struct hd_special){(uint16_t)s, st.special[s]};
        }
    out->specials = specials;
    patch_all(m, &st);
    if (m->uses_stack)
        out->stack_row = (int32_t)out->n_rows++;
    place_args(m, &st, out);
    finish_calls(m, after, first_call);
}

uint32_t hd_lower_scoreboard_ids(const struct hd_ast_func *f)
{
    uint32_t n = f->n_declared < HD_SB_NONE ? (uint32_t)f->n_declared : f->n_regs;

    return n < HD_SB_NONE ? n : HD_SB_NONE - 1;
}

void hd_lower_func(struct hd_lower *lo, uint32_t func, uint32_t first_pc, uint32_t number,
                   struct hd_func *out)
{
    const struct hd_ast_func *f = &lo->ast->funcs[func];
    struct hd_match m = {.lo = lo, .f = f, .n_regs = f->n_regs, .first_pc = first_pc};
    struct hd_flow_step *steps = HD_ARRAY(lo->scratch, struct hd_flow_step, f->n_insns);
    uint32_t first_call = lo->n_calls;

    lo->path = lo->ast->texts[f->module].path;
    out->name = hd_arena_strndup(lo->arena, f->name.s, f->name.n);
    out->text = f->module;
    out->first_pc = first_pc;
    out->end_pc = first_pc + f->n_insns;
    out->line = f->place.line;
    out->is_kernel = f->is_kernel;
    out->target = f->target;
    out->max_threads = f->max_threads;
    out->min_blocks = f->max_threads ? f->min_blocks : 0;
    out->max_regs = f->max_regs;
    out->cluster_blocks = f->cluster_blocks;
    out->stack_row = HD_ROW_NONE;
    m.n_ids = hd_lower_scoreboard_ids(f);
    if (!f->is_kernel) {
        if (lo->sb_free + m.n_ids >=
            HD_SB_NONE) // there are too many for individual ids, so they share one
            lo->sb_free = 0;
        m.sb_base = lo->sb_free;
        lo->sb_free += m.n_ids;
    }
    out->n_sb = m.sb_base + m.n_ids;
    if (f->n_regs > MAX_REGS) {
        hd_diag_add(lo->diag, lo->path, f->place.line, f->place.column,
                    "'%.*s' uses %u registers, at most %u are supported", HD_SLICE_ARG(f->name),
                    f->n_regs, MAX_REGS);
        return;
    }
    if (!decode(&m, number, steps) || f->broken)
        return;
    struct hd_flow *flow = hd_flow_build(lo->scratch, steps, f->n_insns);
    set_reconvergence(&m, flow);
    narrow_spaces(&m);
    give_storage(&m, flow, first_call, out);
    if (out->n_preds > HD_PRED_NOT - 2)
        hd_diag_add(lo->diag, lo->path, f->place.line, f->place.column,
                    "'%.*s' needs %u predicates at once, at most %u are supported",
                    HD_SLICE_ARG(f->name), out->n_preds, HD_PRED_NOT - 2);
}
