// video_ops.h - video instructions: their modifiers, and their operands with selectors.
#ifndef HEDDLE_PTX_VIDEO_OPS_H
#define HEDDLE_PTX_VIDEO_OPS_H

#include "ptx/values.h"

// Whether the opcode is that of a video instruction, such as vadd4.
bool hd_video_ops_named(struct hd_slice opcode);
// As hd_select_op.
bool hd_video_ops_select(const struct hd_select_from *from, const struct hd_ast_insn *in,
                         struct hd_select *out);
// Completes the word of isa/video.h by what stands at the operands: selectors, masks, minus signs.
// Returns false after a diagnostic. The operands themselves follow the pattern of the shape.
bool hd_video_ops_match(struct hd_match *m);

#endif
