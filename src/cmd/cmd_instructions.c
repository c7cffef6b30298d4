// cmd_instructions.c - heddle list instructions: what the emulator executes, from ops.def.
//
// One row per mnemonic, with all its types in one cell. A row leaves out spellings that PTX also
// permits: vectors, cache operators, .approx, memory orders and scopes (src/ptx/select.c).
#include "cmd/cmd.h"

#include "isa/op.h"
#include "present/out.h"
#include "present/table.h"

#include <string.h>

#define TEXT_WIDTH 78

struct row { // all operations of one mnemonic
    bool types[HD_N_TYPES + 1], rounds[HD_N_ROUNDS], low[256];
    uint16_t mods;
    bool carry_in, carry_out;
    uint8_t unit;
};

static void collect(struct row *r, int op)
{
    const struct hd_op_info *o = &hd_op_info[op];
    enum hd_carry carry = hd_op_carry(op);

    r->types[o->type] = true;
    r->unit = o->unit;
    r->mods |= hd_op_mods(op);
    r->carry_in |= carry == HD_CARRY_IN || carry == HD_CARRY_THROUGH;
    r->carry_out |= carry == HD_CARRY_OUT || carry == HD_CARRY_THROUGH;
    for (unsigned k = 0; k < HD_N_ROUNDS; k++)
        r->rounds[k] |= hd_op_rounds(op, (enum hd_round)k);
    for (unsigned k = 0; k < 256; k++)
        r->low[k] |= hd_op_accepts(op, k);
}

static void add_word(struct hd_out *text, const char *word)
{
    hd_out_printf(text, "%s%s", text->bytes ? " " : "", word);
}

// Names whose places in the list are set.
static void add_names(struct hd_out *text, const char *const *names, const bool *set)
{
    for (unsigned i = 0; names[i]; i++)
        if (set[i])
            add_word(text, names[i]);
}

static const char *modifiers(struct hd_arena *a, const struct row *r, const struct hd_op_info *o)
{
    struct hd_out text = {.arena = a};
    bool compares = o->shape == HD_SHAPE_PAB || o->shape == HD_SHAPE_SET;

    if (r->carry_in || r->carry_out)
        add_word(&text, r->carry_in && r->carry_out ? "reads and writes the carry"
                        : r->carry_in               ? "reads the carry"
                                                    : "writes the carry");
    if (r->mods & HD_MOD_FTZ)
        add_word(&text, "ftz");
    if (r->mods & HD_MOD_SAT)
        add_word(&text, "sat");
    if (o->kind == HD_KIND_ALU && !compares && r->mods & HD_MOD_NAN)
        add_word(&text, "NaN xorsign.abs");
    if (o->kind == HD_KIND_ALU && !compares && r->mods & HD_MOD_RELU)
        add_word(&text, "relu");
    if (o->kind == HD_KIND_ALU && r->mods & HD_MOD_FINITE && !(r->mods & HD_MOD_NAN))
        add_word(&text, "satfinite");
    if (r->mods & HD_MOD_ROUND)
        add_names(&text, hd_round_names, r->rounds);
    if (compares)
        add_names(&text, hd_cmp_names, r->low);
    else if (o->shape == HD_SHAPE_ATOM)
        add_names(&text, hd_atom_names, r->low);
    else if (o->shape == HD_SHAPE_QUERY)
        add_names(&text, hd_query_names, r->low);
    else if (o->shape == HD_SHAPE_TEX && r->mods & HD_MOD_ENUM)
        add_names(&text, hd_component_names, r->low);
    else if (!strcmp(o->name, "prmt"))
        add_names(&text, hd_prmt_names, r->low);
    return text.text ? text.text : "";
}

// Operations without a name in PTX are parts of others; only the first one of a mnemonic has a row.
static bool has_row(int op)
{
    if (hd_op_info[op].name[0] == '(')
        return false;
    for (int i = 0; i < op; i++)
        if (!strcmp(hd_op_info[i].name, hd_op_info[op].name))
            return false;
    return true;
}

static void list_registers(void)
{
    size_t column = 0;

    printf("\nSPECIAL REGISTERS\n");
    for (unsigned i = 0; hd_sreg_names[i]; i++) {
        size_t n = strlen(hd_sreg_names[i]) + 2;
        if (hd_sreg_names[i][0] == '(') // internal to the emulator
            continue;
        if (column && column + n > TEXT_WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += (size_t)printf("%s%%%s", column ? " " : "", hd_sreg_names[i]);
    }
    printf("\n\nFUNCTIONS OF THE DEVICE\n");
    column = 0;
    for (unsigned i = HD_BUILTIN_NONE + 1; i < HD_N_BUILTINS; i++) {
        const char *name = hd_builtin_info[i].name;
        if (column && column + strlen(name) + 1 > TEXT_WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += (size_t)printf("%s%s", column ? " " : "", name);
    }
    putchar('\n');
}

void hd_cmd_list_instructions(struct hd_arena *a)
{
    struct hd_table t = hd_table_new(a, "llll");

    hd_table_add(&t, "INSTRUCTION");
    hd_table_add(&t, "UNIT");
    hd_table_add(&t, "TYPES");
    hd_table_add(&t, "MODIFIERS");
    for (int op = 0; op < HD_N_OPS; op++) {
        struct hd_out types = {.arena = a};
        struct row r = {.mods = 0};
        if (!has_row(op))
            continue;
        for (int k = op; k < HD_N_OPS; k++)
            if (!strcmp(hd_op_info[k].name, hd_op_info[op].name))
                collect(&r, k);
        add_names(&types, hd_type_names, r.types);
        hd_table_add(&t, hd_op_info[op].name);
        hd_table_add(&t, hd_unit_names[r.unit]);
        hd_table_add(&t, types.text ? types.text : "");
        hd_table_add(&t, modifiers(a, &r, &hd_op_info[op]));
    }
    hd_table_print(&t, stdout);
    list_registers();
}
