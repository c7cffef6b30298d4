// async_ops.h - asynchronous copies, mbarriers, cache policies and clusters: instructions of sm_80
// and later. Both sides of decoding are here, because the modifiers decide what the operands are:
// select.c asks for the operation, patterns.c for its operands.
#ifndef HEDDLE_PTX_ASYNC_OPS_H
#define HEDDLE_PTX_ASYNC_OPS_H

#include "ptx/values.h"

// Whether this is the opcode of one of them.
bool hd_async_ops_named(struct hd_slice opcode);
// As hd_select_op.
bool hd_async_ops_select(const struct hd_select_from *from, const struct hd_ast_insn *in,
                         struct hd_select *out);
// Whether hd_async_ops_match enters the operands. Otherwise they follow a pattern (patterns.c).
bool hd_async_ops_matched(const struct hd_select *sel);
bool hd_async_ops_match(struct hd_match *m);
// The pattern of an operation on an mbarrier.
const char *hd_async_ops_pattern(const struct hd_select *sel);

#endif
