// blame.h - a policy gave an answer that heddle/policy.h does not allow.
//
// Of a plug-in that is an error of whoever chose it: the message names file, function and answer,
// and the exit status is the user's. A policy that is part of heddle is ours (base/bug.h).
#ifndef HEDDLE_BASE_BLAME_H
#define HEDDLE_BASE_BLAME_H

#include "heddle/policy.h"

// "first", then what it answered and what it should have.
__attribute__((noreturn, cold, format(printf, 3, 4))) void
hd_blame_policy(const struct hd_policy *p, const char *function, const char *fmt, ...);

// "0, 3, 17, ... (23 of them)": the bits of a mask, for such a message. Valid until the next call.
const char *hd_blame_set(uint64_t mask);

// The file that a policy was loaded from, NULL if from none. Set by who loads them.
extern const char *(*hd_blame_file)(const struct hd_policy *p);

#endif
