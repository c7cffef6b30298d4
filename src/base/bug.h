// bug.h - bugs of heddle: report the place and abort with exit status 70. Never for bad input.
//
// HD_BUG_IF stays in release builds and is for cheap checks at interfaces; HD_DCHECK is for debug
// builds. HD_BUG_IF takes a condition that must be false, HD_DCHECK one that must be true.
#ifndef HEDDLE_BASE_BUG_H
#define HEDDLE_BASE_BUG_H

#include <stdbool.h>

#define HD_EXIT_BUG 70

__attribute__((noreturn, cold, format(printf, 3, 4))) void hd_bug_report(const char *file, int line,
                                                                         const char *fmt, ...);

// Called by hd_bug_report before it exits, to print the state of the machine. May be NULL.
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
