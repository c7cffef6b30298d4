// bug.h - bugs of heddle: report the place and abort with exit status 70. Never for bad input.
//
// HD_BUG_IF stays in release builds and is for cheap checks at interfaces; HD_DCHECK is for debug
// builds. HD_BUG_IF takes a condition that must be false, HD_DCHECK one that must be true.
#ifndef HEDDLE_BASE_BUG_H
#define HEDDLE_BASE_BUG_H

#include <stdbool.h>

#define HD_EXIT_BUG 70
#define HD_BUG_TEXT 8192 // longest message

__attribute__((noreturn, cold, format(printf, 3, 4))) void hd_bug_report(const char *file, int line,
                                                                         const char *fmt, ...);
// Ends the process after such an error, with a whole message and an exit status. With another
// status than HD_EXIT_BUG, exit handlers do not run.
__attribute__((noreturn, cold)) void hd_bug_end(int status, const char *message);

// Where several threads work on one run (gpu/team.h), none of them may end the process at once: the
// others are in the middle of something, and which of them finds an error first differs from run to
// run. If the calling thread has a net, hd_bug_end calls `caught` instead, which does not return.
struct hd_bug_net {
    void (*caught)(struct hd_bug_net *net, int status, const char *message);
};
extern _Thread_local struct hd_bug_net *hd_bug_net;

// Called by hd_bug_end before the process exits, to print the state of the machine. May be NULL.
extern void (*hd_bug_context)(void);

extern bool hd_bug_reported; // the process ends because of a bug: its state must not be used

#define HD_BUG(...) hd_bug_report(__FILE__, __LINE__, __VA_ARGS__)
#define HD_BUG_IF(cond, ...)                                                                       \
    do {                                                                                           \
        if (__builtin_expect(!!(cond), 0))                                                         \
            HD_BUG(__VA_ARGS__);                                                                   \
    } while (0)

#ifdef HD_DEBUG
#define HD_DCHECK(cond) HD_BUG_IF(!(cond), "%s", #cond)
#else
#define HD_DCHECK(cond) ((void)0)
#endif

#endif
