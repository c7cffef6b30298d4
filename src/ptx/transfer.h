// transfer.h - what programs for sm_80 and later say besides loads and stores: asynchronous copies,
// mbarriers, cache policies, clusters.
#ifndef HEDDLE_PTX_TRANSFER_H
#define HEDDLE_PTX_TRANSFER_H

#include "ptx/match.h"

// Is this the opcode of one of them?
bool hd_transfer_named(struct hd_slice opcode);
// As hd_select_op.
bool hd_transfer_select(const struct hd_select_from *from, const struct hd_ast_insn *in,
                        struct hd_select *out);
// Are its operands entered here, and not by a pattern (match.c)?
bool hd_transfer_matched(const struct hd_select *sel);
bool hd_transfer_match(struct hd_match *m);
// The pattern (match.c) of an operation on an mbarrier.
const char *hd_transfer_pattern(const struct hd_select *sel);

#endif
