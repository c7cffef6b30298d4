// bug.c - the end of a run in which heddle itself is wrong.
#include "base/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void (*hd_bug_context)(void);
bool hd_bug_reported;

void hd_bug_report(const char *file, int line, const char *fmt, ...)
{
    va_list args;

    hd_bug_reported = true;
    fflush(stdout);
    fprintf(stderr, "heddle: internal error at %s:%d: ", file, line);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    if (hd_bug_context) {
        void (*context)(void) = hd_bug_context;
        hd_bug_context = NULL; // a fault while reporting must not report again
        context();
    }
    fprintf(stderr,
            "This is a bug in heddle, or in the policy where one is named, not in your program. "
            "Please report it with the command line and input.\n");
    exit(HD_EXIT_BUG);
}
