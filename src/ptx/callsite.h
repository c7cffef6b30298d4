// callsite.h - operands of a call.
#ifndef HEDDLE_PTX_CALLSITE_H
#define HEDDLE_PTX_CALLSITE_H

#include "ptx/values.h"

// Enter the callee, arguments and results of the call m->in. Returns false after one diagnostic.
bool hd_callsite_match(struct hd_match *m);

#endif
