// load.c - reads example files. The format is described in toy.h.
#include "toy/toy.h"

#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define MAX_OPS 4096
#define WORD_SIZE 128

static const char op_letters[] = "SCLMWBE";
static const uint8_t op_kinds[] = {HD_TOY_COMPUTE, HD_TOY_COMPUTE, HD_TOY_LOAD, HD_TOY_LOAD,
                                   HD_TOY_STORE,   HD_TOY_BARRIER, HD_TOY_END};
static const uint32_t op_latencies[] = {1, 1, 10, 4, 1, 1, 1};
#define N_LETTERS (sizeof op_letters - 1)

struct label {
    const char *name;
    uint32_t program, op; // op counts from the program's start
};
struct jump { // a branch whose label is looked up at the end
    char name[WORD_SIZE];
    uint32_t program, op, line, column;
};
struct body { // a program while it is read: it may come in pieces
    const char *name;
    struct hd_toy_op *ops;
    size_t n, cap;
};
struct loader {
    struct hd_arena *arena;
    struct hd_diag *diag;
    const char *path, *text;
    size_t bytes;
    uint32_t line;
    const char *line_start, *at, *line_end;
    struct hd_toy *toy;
    uint32_t latency[N_LETTERS];
    struct body *bodies;
    struct label *labels;
    struct jump *jumps, *runs; // run(NAME): the name is that of a kernel
    struct hd_toy_warp *warps; // .tb set; .pc is an index into the program, .end the program
    struct hd_toy_tb *tbs;     // .kernel set
    struct hd_toy_kernel *kernels;
    uint32_t kernel; // of the blocks that follow
    size_t n_runs, cap_runs, n_kernels, cap_kernels;
    size_t n_bodies, cap_bodies, n_labels, cap_labels, n_jumps, cap_jumps;
    size_t n_warps, cap_warps, n_tbs, cap_tbs;
    bool bad;
};

static uint32_t column(const struct loader *l)
{
    return (uint32_t)(l->at - l->line_start) + 1;
}

__attribute__((format(printf, 3, 4))) static struct hd_diag_entry *
complain(struct loader *l, uint32_t col, const char *fmt, ...)
{
    char text[HD_DIAG_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    l->bad = true;
    struct hd_diag_entry *e = hd_diag_add(l->diag, l->path, l->line, col, "%s", text);
    if (l->line)
        hd_diag_excerpt(e, l->text, l->bytes);
    return e;
}

static void skip_blanks(struct loader *l)
{
    while (l->at < l->line_end && isspace((unsigned char)*l->at))
        l->at++;
}

// The next blank-separated word; false at the end of the line. Too long a word is an error.
static bool next_word(struct loader *l, char word[WORD_SIZE], uint32_t *col)
{
    size_t n = 0;

    skip_blanks(l);
    *col = column(l);
    while (l->at + n < l->line_end && !isspace((unsigned char)l->at[n]))
        n++;
    if (n >= WORD_SIZE) {
        complain(l, *col, "word of %zu characters", n);
        l->at = l->line_end;
        return false;
    }
    memcpy(word, l->at, n);
    word[n] = '\0';
    l->at += n;
    return n > 0;
}

// A decimal number at *p that fits; moves *p after it.
static bool number(const char **p, uint32_t *out)
{
    uint64_t v = 0;
    const char *start = *p;

    for (; isdigit((unsigned char)**p); ++*p)
        if ((v = v * 10 + (uint64_t)(**p - '0')) > 1000000000)
            return false;
    *out = (uint32_t)v;
    return *p > start;
}

// A whole word as a number from lo to hi.
static bool word_number(struct loader *l, const char *what, uint32_t lo, uint32_t hi, uint32_t *out)
{
    char word[WORD_SIZE];
    const char *p = word;
    uint32_t col;

    if (!next_word(l, word, &col)) {
        complain(l, col, "%s: a number is missing", what);
        return false;
    }
    if (number(&p, out) && !*p && *out >= lo && *out <= hi)
        return true;
    hd_diag_hint(complain(l, col, "%s: '%s' is not a valid number", what, word),
                 "expected %" PRIu32 " to %" PRIu32, lo, hi);
    return false;
}

static const char *rest_of_line(struct loader *l)
{
    skip_blanks(l);
    const char *start = l->at, *end = l->line_end;
    while (end > start && isspace((unsigned char)end[-1]))
        end--;
    l->at = l->line_end;
    return hd_arena_strndup(l->arena, start, (size_t)(end - start));
}

static int letter_index(char c)
{
    const char *p = c ? strchr(op_letters, c) : NULL;

    return p ? (int)(p - op_letters) : -1;
}

static void read_latency(struct loader *l)
{
    char word[WORD_SIZE];
    uint32_t col, n;

    while (next_word(l, word, &col)) {
        int i = letter_index(word[0]);
        const char *p = word + 2;
        if (i < 0 || word[1] != '=' || !number(&p, &n) || *p || n < 1 || n > 1000000)
            hd_diag_hint(complain(l, col, "'%s' is not a latency", word),
                         "expected OP=N as in L=10, OP one of %s", op_letters);
        else
            l->latency[i] = n;
    }
}

// The suffixes after a letter: /N @LINE #N *N.
static bool suffixes(const char *p, struct hd_toy_op *op, uint32_t *count)
{
    uint32_t n;

    if (*p == '/' && (p++, !number(&p, &op->latency) || op->latency < 1))
        return false;
    if (*p == '@') {
        op->has_line = true;
        do {
            p++;
            bool given = number(&p, &n);
            if (*p == 'w')
                op->line_per_warp += given ? n : 1, p++;
            else if (given)
                op->line += n;
            else
                return false;
        } while (*p == '+');
    }
    if (*p == '#') {
        p++;
        if (!number(&p, &n) || n > 32)
            return false;
        op->lanes = (uint8_t)n;
    }
    if (*p == '*' && (p++, !number(&p, count) || *count < 1 || *count > MAX_OPS))
        return false;
    return !*p;
}

static bool is_name(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_' && s[i] != '-')
            return false;
    return n > 0;
}

// run(KERNEL)
static bool read_run(struct loader *l, const char *word, uint32_t program, uint32_t op_index,
                     struct hd_toy_op *op, uint32_t col)
{
    const char *name = word + 4, *p = name + strcspn(name, ")");

    if (p[0] != ')' || p[1] || !is_name(name, (size_t)(p - name)))
        return false;
    struct jump *j = HD_PUSH(l->arena, l->runs, l->n_runs, l->cap_runs);
    *j = (struct jump){.program = program, .op = op_index, .line = l->line, .column = col};
    memcpy(j->name, name, (size_t)(p - name));
    op->kind = HD_TOY_LAUNCH;
    op->letter = 'K';
    op->latency = 1;
    return true;
}

// bra(LABEL) or bra(LABEL,N)
static bool read_branch(struct loader *l, const char *word, uint32_t program, uint32_t op_index,
                        struct hd_toy_op *op, uint32_t col)
{
    const char *name = word + 4, *end = name + strcspn(name, ",)"), *p = end;

    op->trips = 0;
    if (*p == ',') {
        p++;
        if (!number(&p, &op->trips) || !op->trips)
            return false;
    }
    if (p[0] != ')' || p[1] || !is_name(name, (size_t)(end - name)))
        return false;
    struct jump *j = HD_PUSH(l->arena, l->jumps, l->n_jumps, l->cap_jumps);
    *j = (struct jump){.program = program, .op = op_index, .line = l->line, .column = col};
    memcpy(j->name, name, (size_t)(end - name));
    op->kind = HD_TOY_BRANCH;
    op->letter = 'b';
    op->latency = 1;
    return true;
}

static void read_label(struct loader *l, uint32_t program, const char *name, uint32_t col)
{
    for (size_t i = 0; i < l->n_labels; i++)
        if (l->labels[i].program == program && !strcmp(l->labels[i].name, name)) {
            complain(l, col, "label '%s' is twice in program %s", name, l->bodies[program].name);
            return;
        }
    *HD_PUSH(l->arena, l->labels, l->n_labels, l->cap_labels) =
        (struct label){name, program, (uint32_t)l->bodies[program].n};
}

static void read_op(struct loader *l, uint32_t program, const char *word, uint32_t col)
{
    struct body *b = &l->bodies[program];
    struct hd_toy_op op = {.letter = word[0], .lanes = 32};
    uint32_t count = 1;
    size_t n = strlen(word);
    int i = letter_index(word[0]);
    bool good;

    if (word[n - 1] == ':' && is_name(word, n - 1)) {
        read_label(l, program, hd_arena_strndup(l->arena, word, n - 1), col);
        return;
    }
    if (!strncmp(word, "bra(", 4)) {
        good = read_branch(l, word, program, (uint32_t)b->n, &op, col);
    } else if (!strncmp(word, "run(", 4)) {
        good = read_run(l, word, program, (uint32_t)b->n, &op, col);
    } else {
        good = i >= 0;
        if (good) {
            op.kind = op_kinds[i];
            op.latency = l->latency[i];
            good = suffixes(word + 1, &op, &count);
        }
        if (good && op.has_line && op.kind != HD_TOY_LOAD && op.kind != HD_TOY_STORE)
            good = false;
    }
    if (!good) {
        hd_diag_hint(complain(l, col, "'%s' is not an operation", word),
                     "one of %s with /latency @line #lanes *count, LABEL:, bra(LABEL,N) or "
                     "run(KERNEL)",
                     op_letters);
        return;
    }
    if (b->n + count > MAX_OPS) {
        complain(l, col, "program %s has more than %d operations", b->name, MAX_OPS);
        return;
    }
    while (count--)
        *HD_PUSH(l->arena, b->ops, b->n, b->cap) = op;
}

static const char *const *body_names(struct loader *l)
{
    const char **names = HD_ARRAY(l->arena, const char *, l->n_bodies + 1);

    for (size_t i = 0; i < l->n_bodies; i++)
        names[i] = l->bodies[i].name;
    return names;
}

static size_t find_body(const struct loader *l, const char *name)
{
    size_t i = 0;

    while (i < l->n_bodies && strcmp(l->bodies[i].name, name))
        i++;
    return i;
}

static void read_program(struct loader *l)
{
    char word[WORD_SIZE];
    uint32_t col;

    if (!next_word(l, word, &col) || !is_name(word, strlen(word))) {
        complain(l, col, "program: a name of letters, digits, _ and - is missing");
        return;
    }
    size_t i = find_body(l, word);
    if (i == l->n_bodies)
        *HD_PUSH(l->arena, l->bodies, l->n_bodies, l->cap_bodies) =
            (struct body){.name = hd_arena_strdup(l->arena, word)};
    while (next_word(l, word, &col))
        read_op(l, (uint32_t)i, word, col);
}

static const char *const *kernel_names(struct loader *l)
{
    const char **names = HD_ARRAY(l->arena, const char *, l->n_kernels + 1);

    for (size_t i = 0; i < l->n_kernels; i++)
        names[i] = l->kernels[i].name;
    return names;
}

static size_t find_kernel(const struct loader *l, const char *name)
{
    size_t i = 0;

    while (i < l->n_kernels && strcmp(l->kernels[i].name, name))
        i++;
    return i;
}

// Blocks belong to the kernel named last, or to one called main.
static void use_kernel(struct loader *l, const char *name)
{
    size_t i = find_kernel(l, name);

    if (i == HD_TOY_KERNELS) {
        complain(l, 1, "more than %d kernels", HD_TOY_KERNELS);
        return;
    }
    if (i == l->n_kernels)
        *HD_PUSH(l->arena, l->kernels, l->n_kernels, l->cap_kernels) =
            (struct hd_toy_kernel){.name = hd_arena_strdup(l->arena, name)};
    l->kernel = (uint32_t)i;
}

static void read_kernel(struct loader *l)
{
    char word[WORD_SIZE];
    uint32_t col;

    if (!next_word(l, word, &col) || !is_name(word, strlen(word))) {
        complain(l, col, "kernel: a name of letters, digits, _ and - is missing");
        return;
    }
    l->toy->whole = true;
    use_kernel(l, word);
}

// Programs of a block's warps must have been read before, so that names and start are checked here.
static void read_tb(struct loader *l)
{
    char word[WORD_SIZE];
    uint32_t col, start;
    struct hd_toy_tb tb = {.first_warp = (uint32_t)l->n_warps};

    if (!l->n_kernels)
        use_kernel(l, "main");
    tb.kernel = l->kernel;
    while (next_word(l, word, &col)) {
        char *at = strchr(word, '@');
        const char *p = at ? at + 1 : "";
        start = 0;
        if (at)
            *at = '\0';
        size_t i = find_body(l, word);
        if (i == l->n_bodies) {
            hd_diag_nearest(complain(l, col, "there is no program '%s' above", word), word,
                            body_names(l));
            continue;
        }
        if (at && (!number(&p, &start) || *p || start >= l->bodies[i].n)) {
            hd_diag_hint(complain(l, col, "'%s' is not a start in program %s", at + 1, word),
                         "it has operations 0 to %zu so far", l->bodies[i].n - 1);
            continue;
        }
        *HD_PUSH(l->arena, l->warps, l->n_warps, l->cap_warps) =
            (struct hd_toy_warp){start, (uint32_t)i, (uint32_t)l->n_tbs};
        tb.n_warps++;
    }
    if (!tb.n_warps && !l->bad)
        complain(l, column(l), "tb: a block needs at least one warp");
    if (tb.n_warps > HD_MAX_WARPS)
        complain(l, 1, "tb: %u warps, an SM has %d slots", tb.n_warps, HD_MAX_WARPS);
    *HD_PUSH(l->arena, l->tbs, l->n_tbs, l->cap_tbs) = tb;
    if (tb.n_warps > l->toy->widest_tb)
        l->toy->widest_tb = tb.n_warps;
}

static void read_l1(struct loader *l)
{
    struct hd_toy *t = l->toy;

    word_number(l, "l1 sets", 1, 1024, &t->l1_sets);
    word_number(l, "l1 ways", 1, 64, &t->l1_ways);
    skip_blanks(l);
    if (l->at < l->line_end)
        word_number(l, "l1 hit latency", 1, 1000, &t->l1_hit);
}

static void read_statement(struct loader *l)
{
    static const char *const words[] = {
        "title", "source",  "schedulers", "number", "fetch", "resident", "limit",  "latency",
        "l1",    "program", "tb",         "sms",    "slots", "launch",   "kernel", NULL};
    char word[WORD_SIZE];
    uint32_t col, n;
    struct hd_toy *t = l->toy;

    if (!next_word(l, word, &col))
        return;
    if (!strcmp(word, "title"))
        t->title = rest_of_line(l);
    else if (!strcmp(word, "source"))
        t->source = rest_of_line(l);
    else if (!strcmp(word, "schedulers"))
        word_number(l, word, 1, HD_MAX_SCHEDULERS, &t->schedulers);
    else if (!strcmp(word, "number"))
        word_number(l, word, 0, 1, &t->number);
    else if (!strcmp(word, "fetch"))
        word_number(l, word, 0, 16, &t->fetch);
    else if (!strcmp(word, "resident"))
        word_number(l, word, 1, HD_MAX_TBS, &t->resident);
    else if (!strcmp(word, "limit"))
        t->limit = word_number(l, word, 1, 100000000, &n) ? n : t->limit;
    else if (!strcmp(word, "sms"))
        t->whole |= word_number(l, word, 1, HD_TOY_SMS, &t->sms);
    else if (!strcmp(word, "slots"))
        word_number(l, word, 1, HD_TOY_SLOTS, &t->slots);
    else if (!strcmp(word, "launch"))
        word_number(l, word, 1, 1000000, &t->launch);
    else if (!strcmp(word, "kernel"))
        read_kernel(l);
    else if (!strcmp(word, "latency"))
        read_latency(l);
    else if (!strcmp(word, "l1"))
        read_l1(l);
    else if (!strcmp(word, "program"))
        read_program(l);
    else if (!strcmp(word, "tb"))
        read_tb(l);
    else {
        hd_diag_nearest(complain(l, col, "'%s' is not a statement", word), word, words);
        return;
    }
    if (next_word(l, word, &col))
        complain(l, col, "'%s' is not expected here", word);
}

static void read_lines(struct loader *l)
{
    const char *p = l->text, *end = l->text + l->bytes;

    while (p < end) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *stop = newline ? newline : end;
        const char *comment = memchr(p, '#', (size_t)(stop - p));
        l->line++;
        l->line_start = l->at = p;
        // A # inside a word is the number of lanes.
        while (comment && comment > p && !isspace((unsigned char)comment[-1]))
            comment = memchr(comment + 1, '#', (size_t)(stop - comment - 1));
        l->line_end = comment ? comment : stop;
        read_statement(l);
        p = newline ? newline + 1 : end;
    }
}

// Put the programs one after the other and turn labels and names into PCs.
static void join_programs(struct loader *l)
{
    struct hd_toy *t = l->toy;
    uint32_t pc = 0;

    for (size_t i = 0; i < l->n_bodies; i++)
        t->n_ops += (uint32_t)l->bodies[i].n;
    t->ops = HD_ARRAY(l->arena, struct hd_toy_op, t->n_ops + 1);
    t->n_programs = (uint32_t)l->n_bodies;
    t->programs = HD_ARRAY(l->arena, struct hd_toy_program, l->n_bodies + 1);
    for (size_t i = 0; i < l->n_bodies; i++) {
        uint32_t n = (uint32_t)l->bodies[i].n;
        if (n)
            memcpy(t->ops + pc, l->bodies[i].ops, n * sizeof *t->ops);
        t->programs[i] = (struct hd_toy_program){l->bodies[i].name, pc, pc + n};
        pc += n;
    }
    for (size_t i = 0; i < l->n_warps; i++) {
        const struct hd_toy_program *p = &t->programs[l->warps[i].end];
        l->warps[i].pc += p->first;
        l->warps[i].end = p->end;
    }
    t->warps = l->warps;
    t->tbs = l->tbs;
    t->n_warps = (uint32_t)l->n_warps;
}

static void find_targets(struct loader *l)
{
    for (size_t i = 0; i < l->n_jumps; i++) {
        const struct jump *j = &l->jumps[i];
        const struct hd_toy_program *p = &l->toy->programs[j->program];
        struct hd_toy_op *op = &l->toy->ops[p->first + j->op];
        const char **names = HD_ARRAY(l->arena, const char *, l->n_labels + 1);
        size_t n = 0;
        bool found = false;
        for (size_t k = 0; k < l->n_labels; k++) {
            if (l->labels[k].program != j->program)
                continue;
            names[n++] = l->labels[k].name;
            if (strcmp(l->labels[k].name, j->name))
                continue;
            op->target = p->first + l->labels[k].op;
            found = true;
        }
        l->line = j->line;
        if (!found)
            hd_diag_nearest(
                complain(l, j->column, "program %s has no label '%s'", p->name, j->name), j->name,
                names);
    }
}

static void find_kernels(struct loader *l)
{
    struct hd_toy *t = l->toy;

    for (size_t i = 0; i < l->n_runs; i++) {
        const struct jump *j = &l->runs[i];
        size_t k = find_kernel(l, j->name);
        l->line = j->line;
        if (k == l->n_kernels) {
            hd_diag_nearest(complain(l, j->column, "there is no kernel '%s'", j->name), j->name,
                            kernel_names(l));
            continue;
        }
        t->ops[t->programs[j->program].first + j->op].target = (uint32_t)k;
        l->kernels[k].child = true;
    }
    t->kernels = l->kernels;
    t->n_kernels = (uint32_t)l->n_kernels;
}

// What a kernel launches, and what that launches: into `started`.
static void follow(const struct hd_toy *t, uint32_t kernel, bool *started)
{
    if (started[kernel])
        return;
    started[kernel] = true;
    for (uint32_t i = 0; i < t->kernels[kernel].n_tbs; i++) {
        const struct hd_toy_tb *tb = &t->tbs[t->kernels[kernel].tbs[i]];
        for (uint32_t w = tb->first_warp; w < tb->first_warp + tb->n_warps; w++)
            for (uint32_t pc = t->warps[w].pc; pc < t->warps[w].end; pc++)
                if (t->ops[pc].kind == HD_TOY_LAUNCH) {
                    t->kernels[kernel].launches = true;
                    follow(t, t->ops[pc].target, started);
                }
    }
}

// Gives the kernels their blocks. Every kernel has some, and is launched by the host or by another.
static void check_kernels(struct loader *l)
{
    struct hd_toy *t = l->toy;
    bool *started = HD_ARRAY(l->arena, bool, t->n_kernels + 1);

    for (uint32_t i = 0; i < t->n_kernels; i++)
        t->kernels[i].tbs = HD_ARRAY(l->arena, uint32_t, t->n_tbs);
    for (uint32_t i = 0; i < t->n_tbs; i++) {
        struct hd_toy_kernel *k = &t->kernels[t->tbs[i].kernel];
        k->tbs[k->n_tbs++] = i;
    }
    for (uint32_t i = 0; i < t->n_kernels; i++)
        if (!t->kernels[i].child)
            follow(t, i, started);
    l->line = 0;
    for (uint32_t i = 0; i < t->n_kernels; i++) {
        if (!t->kernels[i].n_tbs)
            complain(l, 0, "kernel %s has no thread block: a line 'tb PROGRAM ...' is missing",
                     t->kernels[i].name);
        else if (!started[i])
            hd_diag_hint(complain(l, 0, "kernel %s is launched by itself alone, so it never starts",
                                  t->kernels[i].name),
                         "the host launches the kernels that no run(KERNEL) names");
    }
}

// Computes what ELF's compiler would compute for each program, and the kind of each operation.
static void make_columns(struct loader *l)
{
    struct hd_toy *t = l->toy;
    struct hd_config_points o = HD_POINTS_DEFAULT;
    uint8_t *ops = HD_ARRAY(l->arena, uint8_t, t->n_ops + 1);
    uint32_t *targets = HD_ARRAY(l->arena, uint32_t, t->n_ops + 1);

    t->kind = HD_ARRAY(l->arena, uint8_t, t->n_ops + 1);
    t->load_distance = HD_ARRAY(l->arena, uint8_t, t->n_ops + 1);
    t->recalc = HD_ARRAY(l->arena, uint8_t, t->n_ops + 1);
    for (uint32_t i = 0; i < t->n_programs; i++) {
        const struct hd_toy_program *p = &t->programs[i];
        for (uint32_t pc = p->first; pc < p->end; pc++) {
            const struct hd_toy_op *op = &t->ops[pc];
            targets[pc] = op->target;
            if (op->kind == HD_TOY_LOAD)
                ops[pc] = HD_POINT_LOAD, t->kind[pc] = HD_STATIC_LOAD;
            else if (op->kind == HD_TOY_STORE)
                t->kind[pc] = HD_STATIC_STORE;
            else if (op->kind == HD_TOY_BRANCH)
                ops[pc] = op->trips ? HD_POINT_BRANCH : HD_POINT_JUMP,
                t->kind[pc] = HD_STATIC_BRANCH;
            else if (op->kind == HD_TOY_END)
                ops[pc] = HD_POINT_END;
        }
        struct hd_points_part part = {p->first, p->end};
        struct hd_points_code code = {ops, targets, &part, 1};
        hd_points_find(l->arena, &code, &o, t->load_distance, t->recalc);
    }
}

static void check_whole(struct loader *l)
{
    struct hd_toy *t = l->toy;

    l->line = 0;
    t->n_tbs = (uint32_t)l->n_tbs;
    if (!t->n_tbs)
        complain(l, 0, "no thread block: a line 'tb PROGRAM ...' is missing");
    if (!t->resident || t->resident > t->n_tbs)
        t->resident = t->n_tbs;
    if (!l->bad && (t->resident > HD_MAX_TBS || t->resident * t->widest_tb > HD_MAX_WARPS))
        hd_diag_hint(complain(l, 0, "%u blocks of up to %u warps do not fit on the SM", t->resident,
                              t->widest_tb),
                     "at most %d blocks and %d warps; use 'resident N'", HD_MAX_TBS, HD_MAX_WARPS);
}

// Words are strings from here on: a byte of zero would end one early.
static bool is_text(struct loader *l)
{
    const char *zero = memchr(l->text, 0, l->bytes), *line = l->text, *end;

    if (!zero)
        return true;
    for (l->line = 1; (end = memchr(line, '\n', (size_t)(zero - line))) != NULL; l->line++)
        line = end + 1;
    complain(l, (uint32_t)(zero - line) + 1, "byte 0x00 in the text");
    return false;
}

struct hd_toy *hd_toy_parse(struct hd_arena *a, const char *path, const char *text, size_t bytes,
                            struct hd_diag *d)
{
    struct loader l = {.arena = a, .diag = d, .path = path, .text = text, .bytes = bytes};

    l.toy = HD_NEW(a, hd_toy);
    *l.toy = (struct hd_toy){.schedulers = 1,
                             .sms = 1,
                             .slots = HD_TOY_SLOTS,
                             .launch = 10,
                             .l1_hit = 1,
                             .limit = 100000};
    l.toy->name = l.toy->title = l.toy->source = "";
    memcpy(l.latency, op_latencies, sizeof l.latency);
    if (is_text(&l))
        read_lines(&l);
    if (!l.bad)
        check_whole(&l);
    if (l.bad)
        return NULL;
    join_programs(&l);
    find_targets(&l);
    find_kernels(&l);
    if (!l.bad)
        check_kernels(&l);
    if (l.bad)
        return NULL;
    make_columns(&l);
    return l.toy;
}

// The folder examples/toys/ beside the program or above it; under share/heddle/ where it is
// installed.
static char *examples_folder(struct hd_arena *a)
{
    char program[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);

    if (n < 0)
        return NULL;
    program[n] = '\0';
    for (char *slash; (slash = strrchr(program, '/')) != NULL; *slash = '\0') {
        static const char *const folders[] = {"examples/toys", "share/heddle/examples/toys"};
        for (unsigned i = 0; i < 2; i++) {
            char *path = hd_arena_printf(a, "%.*s/%s", (int)(slash - program), program, folders[i]);
            if (access(path, R_OK | X_OK) == 0)
                return path;
        }
    }
    return NULL;
}

// Reports an unknown example, with the nearest name of the folder.
static void no_example(struct hd_arena *a, const char *folder, const char *name, struct hd_diag *d)
{
    struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "there is no example '%s'", name);
    const char **names = NULL;
    size_t n = 0, cap = 0;
    DIR *dir = folder ? opendir(folder) : NULL;

    for (struct dirent *f; dir && (f = readdir(dir)) != NULL;)
        if (strlen(f->d_name) > 4 && !strcmp(f->d_name + strlen(f->d_name) - 4, ".toy"))
            *HD_PUSH(a, names, n, cap) = hd_arena_strndup(a, f->d_name, strlen(f->d_name) - 4);
    if (dir)
        closedir(dir);
    *HD_PUSH(a, names, n, cap) = NULL;
    hd_diag_nearest(e, name, names);
    if (!e->hint[0])
        hd_diag_hint(e, "expected a FILE.toy or a name of 'heddle list toys'");
}

static const char *base_name(struct hd_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);

    return hd_arena_strndup(a, name, n > 4 && !strcmp(name + n - 4, ".toy") ? n - 4 : n);
}

struct hd_toy *hd_toy_load(struct hd_arena *a, const char *name, struct hd_diag *d)
{
    const char *path = name;
    char err[HD_FILE_WHY];
    size_t bytes;

    if (!strchr(name, '/') && access(name, R_OK) != 0) {
        const char *folder = examples_folder(a);
        path = hd_arena_printf(a, "%s/%s.toy", folder ? folder : ".", name);
        if (!folder || access(path, R_OK) != 0) {
            no_example(a, folder, name, d);
            return NULL;
        }
    }
    const char *text = (const char *)hd_file_read(a, path, &bytes, err);
    if (!text) {
        hd_diag_add(d, NULL, 0, 0, "%s", err);
        return NULL;
    }
    struct hd_toy *toy = hd_toy_parse(a, path, text, bytes, d);
    if (toy)
        toy->name = base_name(a, path);
    return toy;
}
