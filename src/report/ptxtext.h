// ptxtext.h - a module's PTX and, where its .loc lines lead to a readable file, the CUDA source
// that it came from, for reports that show code.
#ifndef HEDDLE_REPORT_PTXTEXT_H
#define HEDDLE_REPORT_PTXTEXT_H

#include "base/arena.h"
#include "heddle/program.h"

struct hd_ptxtext_lines { // a text cut into lines; n is 0 if there is none
    const char *text, **lines;
    size_t bytes, n, cap;
    bool tried;
};

struct hd_ptxtext {
    struct hd_arena *arena;
    const struct hd_program *program;
    struct hd_ptxtext_lines *ptx, *sources; // by index into program->texts, program->files
};

struct hd_ptxtext hd_ptxtext_new(struct hd_arena *a, const struct hd_program *p);
// The instruction at pc as it was written, without its semicolon, blanks squeezed; disassembled if
// it cannot be found there.
const char *hd_ptxtext_statement(struct hd_ptxtext *t, uint32_t pc);
// The whole line of PTX that it begins in, without surrounding blanks.
const char *hd_ptxtext_ptx_line(struct hd_ptxtext *t, uint32_t pc);
// The source line of its .loc without surrounding blanks; NULL if unknown or unreadable.
const char *hd_ptxtext_source(struct hd_ptxtext *t, uint32_t pc);
// The same of a line of one of the program's files (an index).
const char *hd_ptxtext_line(struct hd_ptxtext *t, uint32_t file, uint32_t line);
// The label between pc and the instruction before it, the last if there are
// several; NULL for none.
const char *hd_ptxtext_label(struct hd_ptxtext *t, uint32_t pc);

#endif
