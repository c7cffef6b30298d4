// jobline.h - one line of a job as words with columns, and readers that say what they expected.
// Private to src/job.
#ifndef HEDDLE_JOB_JOBLINE_H
#define HEDDLE_JOB_JOBLINE_H

#include "job/job.h"

struct hd_jobline_word {
    const char *text;
    uint32_t column; // 1-based, in bytes
};

// The readers take the next word. After the first failure the line is given up: they answer NULL or
// false without a second message.
struct hd_jobline {
    struct hd_arena *arena;
    struct hd_diag *diag;
    const struct hd_job *job;
    uint32_t line, end_column; // end_column: just after the last word
    struct hd_jobline_word *words;
    size_t n, at;
    bool failed;
};

// Split the bytes [start, end) of line `line`; end excludes the line's end mark.
void hd_jobline_split(struct hd_jobline *l, const char *start, const char *end);

// Report at a column of this line; returns the entry, for a hint.
__attribute__((format(printf, 3, 4))) struct hd_diag_entry *
hd_jobline_error(struct hd_jobline *l, uint32_t column, const char *fmt, ...);

// Report at a word of the job after its line has been read; returns the entry. And how many
// messages there are, those that were dropped included.
__attribute__((format(printf, 4, 5))) struct hd_diag_entry *
hd_jobline_complain(const struct hd_job *j, struct hd_diag *d, struct hd_job_place at,
                    const char *fmt, ...);
unsigned hd_jobline_messages(const struct hd_diag *d);

struct hd_job_place hd_jobline_place(const struct hd_jobline *l); // of the next word, or the end
const char *hd_jobline_word(struct hd_jobline *l, const char *what);
const char *hd_jobline_name(struct hd_jobline *l, const char *what); // letters, digits, _ $ . -
bool hd_jobline_is(struct hd_jobline *l, const char *word);          // take it if it comes next
uint64_t hd_jobline_number(struct hd_jobline *l, const char *what, uint64_t min, uint64_t max);
double hd_jobline_real(struct hd_jobline *l, const char *what, double min, double max);
void hd_jobline_end(struct hd_jobline *l); // nothing more may follow

// Whole-word numbers, for arguments too: decimal or 0x; false if it is none or does not fit.
bool hd_jobline_unsigned(const char *text, uint64_t max, uint64_t *out);

#endif
