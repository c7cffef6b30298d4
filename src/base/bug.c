// bug.c - the end of a run in which heddle itself is wrong.
#include "base/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void (*hd_bug_context)(void);
bool hd_bug_reported;
_Thread_local struct hd_bug_net *hd_bug_net;

void hd_bug_end(int status, const char *message)
{
    if (hd_bug_net)
        hd_bug_net->caught(hd_bug_net, status, message);
    hd_bug_reported = true;
    fflush(stdout);
    fputs(message, stderr);
    if (status != HD_EXIT_BUG)
        _exit(status); // in another program, its own exit handlers must not run now
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

void hd_bug_report(const char *file, int line, const char *fmt, ...)
{
    char message[HD_BUG_TEXT];
    size_t room = sizeof message - 2; // for the end of the line
    va_list args;
    size_t n =
        (size_t)snprintf(message, room, "heddle: internal error at %.1000s:%d: ", file, line);

    va_start(args, fmt);
    vsnprintf(message + n, room - n, fmt, args);
    va_end(args);
    n = strlen(message);
    message[n] = '\n';
    message[n + 1] = '\0';
    hd_bug_end(HD_EXIT_BUG, message);
}
