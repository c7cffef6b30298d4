// bug.h - our own faults: say where, abort with exit status 70. Never for bad input.
//
// HD_BUG_IF stays in release builds and is for cheap checks at seams; HD_DCHECK is for debug
// builds. Both take a condition that must be false, respectively true.
#ifndef HEDDLE_BASE_BUG_H
#define HEDDLE_BASE_BUG_H

#include <stdbool.h>

#define HD_EXIT_BUG 70

__attribute__((noreturn, cold, format(printf, 3, 4))) void hd_bug_report(const char *file, int line,
                                                                         const char *fmt, ...);

// Called by hd_bug_report before it exits, to print the state of the machine. May be NULL.
extern void (*hd_bug_context)(void);

extern bool hd_bug_reported; // the process ends for that reason: nothing is to be made of it

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
