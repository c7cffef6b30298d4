// select.h - finds the operation for an opcode with its modifiers and types.
#ifndef HEDDLE_PTX_SELECT_H
#define HEDDLE_PTX_SELECT_H

#include "base/arena.h"
#include "base/diag.h"
#include "isa/matrix.h"
#include "ptx/ast.h"

struct hd_select {
    int op;              // enum hd_op
    uint16_t mods;       // HD_MOD_*, without those that follow from the operands
    uint8_t space;       // enum hd_space as written; generic where it could be written but is not
    uint8_t vec;         // 1, 2 or 4
    uint8_t type, dtype; // enum hd_type of sources and destination as written, not canonical
    bool no_l1;          // .cg
    bool uniform;        // .uni
    bool reduces;        // red: an atomic without destination
    bool relaxed;        // conversions: a register may be wider than the type
    bool hinted;         // .L2::cache_hint: the last operand is a cache policy
    bool combines;       // setp with a boolean operation: one more source
    struct hd_matrix matrix; // of a multiplication of matrices
    int64_t video;           // of a video instruction: the word of isa/video.h, without operands
    char name[48];           // for messages: the opcode with the modifiers that select it
};

struct hd_select_from {
    struct hd_arena *arena; // scratch
    struct hd_diag *diag;
    const char *path;
    const struct hd_ast *ast;
};

// What is wrong with an instruction, by its name so far.
static inline struct hd_diag_entry *hd_select_complain(const struct hd_select_from *from,
                                                       const struct hd_ast_insn *in,
                                                       const struct hd_select *out,
                                                       const char *text)
{
    return hd_diag_add(from->diag, from->path, in->place.line, in->place.column, "'%s': %s",
                       out->name, text);
}

// Returns false after one diagnostic.
bool hd_select_op(const struct hd_select_from *from, const struct hd_ast_insn *in,
                  struct hd_select *out);

#endif
