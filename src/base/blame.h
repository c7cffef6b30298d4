// blame.h - ends a run because a policy gave an answer that heddle/policy.h does not allow.
//
// For a plug-in this is the user's error: the message names file, function and answer, and the exit
// status is the user's. For a policy of heddle it is a bug of heddle (base/bug.h).
#ifndef HEDDLE_BASE_BLAME_H
#define HEDDLE_BASE_BLAME_H

#include "heddle/policy.h"

// "first", then the policy's answer and what it should have been.
__attribute__((noreturn, cold, format(printf, 3, 4))) void
hd_blame_policy(const struct hd_policy *p, const char *function, const char *fmt, ...);

// "0, 3, 17, ... (23 of them)": the bits of a mask, for such a message. Valid until the next call
// of the same thread.
const char *hd_blame_set(uint64_t mask);

// The file that a policy was loaded from, NULL if from none. The loader of plug-ins sets it.
extern const char *(*hd_blame_file)(const struct hd_policy *p);

#endif
