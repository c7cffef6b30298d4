// print.c - prints the run of an example: issue trace and timeline.
#include "toy/toy.h"

#include <inttypes.h>
#include <string.h>

#define COLUMNS 100 // of a timeline before it goes on below

char *hd_toy_trace(struct hd_arena *a, const struct hd_toy *toy, const struct hd_toy_result *r)
{
    size_t size = r->n_issues * 48 + 1, at = 0;
    char *text = hd_arena_get(a, size, 1);

    for (size_t i = 0; i < r->n_issues; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%" PRIu64 ":%" PRIu32 "%c", i ? " " : "",
                               r->issues[i].cycle, r->issues[i].warp + toy->number,
                               toy->ops[r->issues[i].pc].letter);
    return text;
}

// The cells of one warp in cycles first .. first + n - 1.
static void fill_row(char *row, const struct hd_toy *toy, const struct hd_toy_result *r,
                     uint32_t warp, uint64_t first, uint64_t n)
{
    uint64_t end = 0;

    for (size_t i = 0; i < r->n_issues; i++)
        if (r->issues[i].warp == warp)
            end = r->issues[i].last;
    for (uint64_t c = first; c < first + n; c++)
        row[c - first] = c > r->start[warp] && c <= end ? '.' : ' ';
    for (size_t i = 0; i < r->n_issues; i++) {
        const struct hd_toy_issue *issue = &r->issues[i];
        if (issue->warp != warp)
            continue;
        for (uint64_t c = issue->cycle; c <= issue->last; c++)
            if (c >= first && c < first + n)
                row[c - first] = c == issue->cycle ? toy->ops[issue->pc].letter : '-';
    }
}

// Cycle numbers above every tenth column.
static void ruler(FILE *to, uint64_t first, uint64_t n)
{
    int used = fprintf(to, "%8s%" PRIu64, "", first);

    for (uint64_t c = first + 10; c < first + n; c += 10) {
        int gap = 8 + (int)(c - first) - used;
        used += fprintf(to, "%*s%" PRIu64, gap > 0 ? gap : 1, "", c);
    }
    fputc('\n', to);
}

void hd_toy_timeline(FILE *to, const struct hd_toy *toy, const struct hd_toy_result *r)
{
    for (uint64_t first = 1; first <= r->finish; first += COLUMNS) {
        uint64_t left = r->finish - first + 1, n = left < COLUMNS ? left : COLUMNS;
        ruler(to, first, n);
        for (uint32_t w = 0; w < toy->n_warps; w++) {
            char row[COLUMNS + 1], name[32];
            uint64_t length = n;
            fill_row(row, toy, r, w, first, n);
            while (length && row[length - 1] == ' ')
                length--;
            if (toy->sms > 1) // w3@1: the SM, too
                snprintf(name, sizeof name, "w%" PRIu32 "@%" PRIu32, w + toy->number, r->sm[w]);
            else
                snprintf(name, sizeof name, "w%" PRIu32, w + toy->number);
            fprintf(to, "  %-5s %.*s\n", name, (int)length, row);
        }
    }
}
