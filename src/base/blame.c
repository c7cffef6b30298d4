// blame.c - the end of a run in which a policy is wrong. See blame.h.
#include "base/blame.h"

#include "base/bug.h"
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>

#define SHOWN 8 // members of a set

const char *(*hd_blame_file)(const struct hd_policy *p);

void hd_blame_policy(const struct hd_policy *p, const char *function, const char *fmt, ...)
{
    const char *file = hd_blame_file ? hd_blame_file(p) : NULL;
    char answer[400], message[HD_BUG_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(answer, sizeof answer, fmt, args);
    va_end(args);
    HD_BUG_IF(!file, "policy %s: %s() %s", p->name, function, answer);
    snprintf(message, sizeof message,
             "heddle: the plug-in %s: %s() of policy %s %s\n"
             "'heddle check-policy %s' tries all that heddle/policy.h asks of a policy.\n",
             file, function, p->name, answer, file);
    hd_bug_end(HD_EXIT_USER, message);
}

const char *hd_blame_set(uint64_t mask)
{
    static _Thread_local char text[SHOWN * 4 + 40];
    int n = 0, total = hd_count(mask), bit, shown = 0;

    text[0] = '\0';
    HD_EACH(bit, mask) {
        if (shown++ == SHOWN) {
            snprintf(text + n, sizeof text - (size_t)n, ", ... (%d of them)", total);
            break;
        }
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%d", n ? ", " : "", bit);
    }
    return text;
}
