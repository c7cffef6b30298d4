// ast.h - the syntax tree of PTX modules: declarations, functions, instructions with their
// operands.
//
// The parser (parse.h) builds it, link.c joins the modules, layout.c gives variables their places,
// and lower.c reads it. It is in a scratch arena and is dropped with it; slices point into the PTX
// text. Names of registers and variables are resolved while parsing, because PTX declares before it
// uses, labels at the end of their function. Lists are arrays addressed by index, since they grow.
#ifndef HEDDLE_PTX_AST_H
#define HEDDLE_PTX_AST_H

#include "isa/op.h"
#include "ptx/lex.h"

#define HD_AST_NONE UINT32_MAX
#define HD_AST_NO_BANK UINT32_MAX // a register without a bank in the operand collector

struct hd_place_at { // a place in the text
    uint32_t line, column;
};

// A register. It is entered when it is first used, so `.reg .b32 %r<100000>` costs nothing.
struct hd_ast_reg {
    struct hd_slice name;
    uint8_t type;    // enum hd_type
    uint8_t vec;     // of the first element of a vector: the number of elements, which are adjacent
    uint32_t digits; // first run of decimal digits of the name, modulo 2^31; or HD_AST_NO_BANK
    uint32_t number; // among all that its function declares, used or not
};

// An address in an initialiser.
struct hd_ast_address {
    uint32_t at;    // byte offset in the variable
    uint32_t bytes; // 8, or fewer if the element holds only a part of the address
    uint32_t shift; // of the address, to the right
    uint32_t var;   // index into hd_ast.vars; HD_AST_NONE if it is the address of a function
    uint32_t func;  // index into hd_ast.funcs
    int64_t addend;
    bool generic;
    struct hd_place_at place;
};

enum hd_ast_link { HD_LINK_LOCAL, HD_LINK_VISIBLE, HD_LINK_WEAK, HD_LINK_COMMON };

struct hd_ast_var { // also parameters
    struct hd_slice name;
    struct hd_place_at place;
    uint32_t module;      // index of its text
    uint8_t link;         // enum hd_ast_link
    uint8_t space;        // enum hd_space
    uint8_t type;         // of an element
    uint8_t vec;          // number of elements of a vector; 0 for a scalar
    bool is_extern, open; // open: `x[]`, of unknown length
    bool in_body;         // a .param declared in a body: for the arguments of calls
    bool managed;         // .attribute(.managed)
    bool opaque;          // .texref, .surfref: a handle that the host stores
    bool in_reg;          // a .reg parameter of a function; symbol is the register
    uint32_t align;
    uint32_t bytes;
    uint32_t func;                    // index into hd_ast.funcs; HD_AST_NONE at module level
    const uint8_t *init;              // NULL if all bytes are 0
    struct hd_ast_address *addresses; // in the initialiser
    uint32_t n_addresses;

    // Filled by layout.c: .shared and .local offset in the current function, .param offset, .const
    // address; .global and .const: index into hd_program.symbols.
    uint64_t offset;
    uint32_t symbol;
    uint32_t used_in; // last kernel that uses it, plus one
    bool in_function; // .shared: a function uses it, so it has the same place in all kernels
    uint64_t fixed;   // that place
};

enum hd_ast_kind {
    HD_AST_REG,   // index into hd_ast_func.regs
    HD_AST_SREG,  // index is enum hd_sreg
    HD_AST_INT,   // value
    HD_AST_F32,   // value is the bit pattern
    HD_AST_F64,   // value is the bit pattern
    HD_AST_VAR,   // index into hd_ast.vars, value is an offset
    HD_AST_FUNC,  // index into hd_ast.funcs
    HD_AST_LABEL, // index of the instruction that it precedes, HD_AST_NONE until resolved
    HD_AST_PROTO, // index into hd_ast.protos
    HD_AST_TABLE, // index into hd_ast.tables
    HD_AST_ADDR,  // [child + value]; without child: [value]
    HD_AST_VEC,   // {child, ...}
    HD_AST_LIST,  // (child, ...)
    HD_AST_PAIR,  // child | child
    HD_AST_SINK,  // _
};

struct hd_ast_operand {
    uint8_t kind;
    bool negated; // !p
    bool minus;   // -%r1, of vmad
    uint32_t index;
    uint32_t scope; // LABEL: where it is used
    int64_t value;
    struct hd_slice name; // as written, for messages
    struct hd_slice part; // of a register in a video instruction: "b3210" of %r1.b3210
    struct hd_place_at place;
    struct hd_ast_operand *child, *next;
};

struct hd_ast_insn {
    struct hd_slice op;
    struct hd_place_at place;
    uint32_t mods, n_mods; // range of hd_ast.mods
    uint32_t guard;        // register, or HD_AST_NONE
    bool guard_not;
    bool nounroll; // .pragma "nounroll" precedes it: a loop that begins here is not unrolled
    uint16_t n_operands;
    uint32_t loc; // index into hd_ast.locs, or HD_AST_NONE before the first .loc of its function
    struct hd_ast_operand *operands;
};

struct hd_ast_loc { // .loc
    uint32_t file, line, column;
    uint32_t caller; // the earlier .loc at whose place it was inlined, or HD_AST_NONE
    uint32_t depth;  // callers above it
};

struct hd_ast_mod {
    struct hd_slice text;
    struct hd_place_at place;
};

struct hd_ast_func {
    struct hd_slice name;
    struct hd_place_at place;
    uint32_t module;
    uint8_t link;                     // enum hd_ast_link
    bool is_kernel, has_body, broken; // broken: it has syntax errors and is not lowered
    bool nounroll;                    // .pragma "nounroll" holds for all its loops
    bool reserves;                    // it uses shared memory that is reserved for the system
    bool explicit_cluster;            // .explicitcluster or .reqnctapercluster
    uint32_t cluster_blocks;          // product of .reqnctapercluster
    uint32_t first_ret, n_rets;       // ranges of hd_ast.vars
    uint32_t first_param, n_params;
    uint32_t first_var, end_var; // variables declared in it: a range of hd_ast.vars
    struct hd_ast_insn *insns;
    uint32_t n_insns;
    struct hd_ast_reg *regs;
    uint32_t n_regs;
    uint64_t n_declared; // registers, with whole ranges
    // Products of .maxntid or .reqntid, of .minnctapersm, and .maxnreg; 0 if not given.
    uint32_t max_threads, min_blocks, max_regs;
    uint32_t target; // of the module: 75 for sm_75; 0 if unknown
};

struct hd_ast_proto { // .callprototype: ranges of hd_ast.vars; or .calltargets: a function
    uint32_t first_ret, n_rets, first_param, n_params;
    uint32_t func; // HD_AST_NONE for a prototype
};

struct hd_ast_table { // .branchtargets
    struct hd_ast_operand *labels;
    uint32_t n;
};

struct hd_ast_file { // .file
    uint32_t module, number;
    struct hd_slice name;
};

struct hd_ast { // of all modules that make one program
    const struct hd_text *texts;
    struct hd_ast_var *vars;
    struct hd_ast_func *funcs;
    struct hd_ast_mod *mods;
    struct hd_ast_file *files;
    struct hd_ast_loc *locs;
    struct hd_ast_proto *protos;
    struct hd_ast_table *tables;
    uint32_t n_texts, n_vars, n_funcs, n_mods, n_files, n_locs, n_protos, n_tables;
};

#endif
