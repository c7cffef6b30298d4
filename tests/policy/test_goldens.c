// test_goldens.c - the worked examples of tests/policy/goldens/: small files, each naming its
// source.
//
// Three kinds of example, in any mix; # starts a comment, `source` says where the numbers are from:
//   toy FILE | inline STATEMENT ...   an example of the toy engine, from a file or in place
//     run SPEC FINISH STALLS          run it under a policy (skipping and not), compare
//     trace 1:0S ...                  compare the issues of that run
//     same SPEC SPEC ...              policies that issue the same in the same cycles
//   code OP ...                       a program for the points of ELF: a, L, B<n>, J<n>, E; a*N: N
//                                     of them; | begins another function
//     option KEY VALUE                of the machine's section [points], for that code; compare:
//     points PC:[b]SCORE ..., before LOADS BRANCHES, dropped N, distance N ..., recalc BIT ...
//   script SPEC SCHEDULERS            a policy alone with events; every head is an off-chip load
//     tb W ..., slow, cycle N, issue W [N], arrive W, exit W, jump W PC, progress W LANES, alu W,
//     evict OWNER LINE, miss W LINE, lose W LINE [N], write LINE       what happens
//     generic W, texture W, store W   the head is another off-chip access
//     id SLOT N, replace SLOT       a block gets another index; ends, and a new one takes its warps
//     kernel BLOCKS                 a kernel starts of which so many blocks fit
//     wait W ..., go W ..., empty W ...   the scoreboard refuses the head for a long register, lets
//                                   it pass; nothing is buffered
//     lost N                        cycles in which every scheduler looked at all and issued none
//     fetched W                     the front end's last warp; and compare:
//     order S W ..., allowed S W ..., fetch W ...      order among live warps
//     fetch_first W W ...           the warp fetched for of these
//     limit N                       blocks that may be resident
#include "base/configkeys.h"
#include "base/fields.h"
#include "base/file.h"
#include "isa/points.h"
#include "toy/toy.h"

#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER "tests/policy/goldens"
#define MAX_WORDS 80
#define MAX_OPS 320 // of code

struct script {
    struct hd_policy_choice choice;
    struct hd_pstate st;
    struct hd_view v;
    struct hd_static_view columns;
    struct hd_tb_view tbs[HD_MAX_TBS];
    uint32_t pc[HD_MAX_WARPS], age[HD_MAX_WARPS], next_age, next_tb;
    uint64_t progress[HD_MAX_WARPS];
    uint8_t tb_of[HD_MAX_WARPS], kind[256], distance[256], recalc[256];
};
struct code {
    uint8_t ops[MAX_OPS], distance[MAX_OPS], recalc[MAX_OPS];
    uint32_t targets[MAX_OPS], n, n_parts;
    struct hd_points_part parts[8];
    struct hd_config machine; // its options alone
};
struct reader {
    struct hd_arena *a;
    const char *path;
    unsigned line, checks, sources;
    char *words[MAX_WORDS];
    unsigned n;
    struct hd_toy *toy;
    char *inline_text;
    struct hd_toy_result result;
    struct code code;
    struct script x;
};

#define WRONG(r, ...) wrong((r), __VA_ARGS__)
__attribute__((format(printf, 2, 3))) static void wrong(struct reader *r, const char *fmt, ...)
{
    char text[2000];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    fail_msg("%s:%u: %s", r->path, r->line, text);
}

static uint64_t number(struct reader *r, unsigned i)
{
    char *end = NULL;
    uint64_t v = i < r->n ? strtoull(r->words[i], &end, 10) : 0;

    if (!end || *end || end == r->words[i])
        WRONG(r, "word %u is not a number", i + 1);
    return v;
}

static bool is(const struct reader *r, const char *word)
{
    return !strcmp(r->words[0], word);
}

static void choose(struct reader *r, const char *spec, struct hd_policy_choice *c)
{
    struct hd_diag d = {0};

    if (!hd_registry_parse(r->a, spec, c, &d))
        WRONG(r, "%s: %s", spec, d.entries[0].text);
}

// Toy examples

static void load_inline(struct reader *r)
{
    struct hd_diag d = {0};

    if (!r->inline_text)
        return;
    r->toy = hd_toy_parse(r->a, r->path, r->inline_text, strlen(r->inline_text), &d);
    if (!r->toy)
        WRONG(r, "inline example: %s", d.entries[0].text);
    r->inline_text = NULL;
}

static void run_toy(struct reader *r)
{
    struct hd_toy_options o = {0};
    struct hd_toy_result stepped;

    load_inline(r);
    choose(r, r->words[1], &o.sched);
    hd_toy_run(r->a, r->toy, &o, &r->result);
    o.no_skip = true;
    hd_toy_run(r->a, r->toy, &o, &stepped);
    if (r->result.finish != number(r, 2) || r->result.stalls != number(r, 3))
        WRONG(r, "%s: finish %" PRIu64 ", stalls %" PRIu64, r->words[1], r->result.finish,
              r->result.stalls);
    if (strcmp(hd_toy_trace(r->a, r->toy, &stepped), hd_toy_trace(r->a, r->toy, &r->result)) != 0)
        WRONG(r, "%s: skipping idle cycles changes the trace", r->words[1]);
}

static void compare_trace(struct reader *r)
{
    char *text = hd_toy_trace(r->a, r->toy, &r->result), *expected = r->words[1];

    for (unsigned i = 2; i < r->n; i++)
        expected = hd_arena_printf(r->a, "%s %s", expected, r->words[i]);
    if (strcmp(text, expected) != 0)
        WRONG(r, "the trace is\n%s", text);
}

static void compare_same(struct reader *r)
{
    const char *first = NULL;

    load_inline(r);
    for (unsigned i = 1; i < r->n; i++) {
        struct hd_toy_options o = {0};
        choose(r, r->words[i], &o.sched);
        hd_toy_run(r->a, r->toy, &o, &r->result);
        const char *text = hd_toy_trace(r->a, r->toy, &r->result);
        first = first ? first : text;
        if (strcmp(first, text) != 0)
            WRONG(r, "%s issues\n%s\n%s issues\n%s", r->words[1], first, r->words[i], text);
    }
}

static bool toy_statement(struct reader *r)
{
    struct hd_diag d = {0};

    if (is(r, "toy")) {
        r->toy = hd_toy_load(r->a, r->words[1], &d);
        if (!r->toy)
            WRONG(r, "%s", d.entries[0].text);
    } else if (is(r, "inline")) {
        r->inline_text = r->inline_text ? r->inline_text : hd_arena_strdup(r->a, "");
        for (unsigned i = 1; i < r->n; i++)
            r->inline_text = hd_arena_printf(r->a, "%s%s%s", r->inline_text, r->words[i],
                                             i + 1 < r->n ? " " : "\n");
    } else if (is(r, "run")) {
        run_toy(r);
        r->checks++;
    } else if (is(r, "trace") || is(r, "same")) {
        (is(r, "trace") ? compare_trace : compare_same)(r);
        r->checks++;
    } else {
        return false;
    }
    return true;
}

// Points of ELF

static void read_code(struct reader *r)
{
    struct code *c = &r->code;
    static const char letters[] = "aLBJE";

    *c = (struct code){.machine.points = HD_POINTS_DEFAULT, .n_parts = 1};
    for (uint32_t i = 1; i < r->n; i++) {
        const char *word = r->words[i], *letter = strchr(letters, word[0]);
        struct hd_points_part *part = &c->parts[c->n_parts - 1];
        if (!strcmp(word, "|") && c->n_parts < 8) {
            c->parts[c->n_parts++] = (struct hd_points_part){c->n, c->n};
            continue;
        }
        uint32_t times = word[1] == '*' ? (uint32_t)strtoul(word + 2, NULL, 10) : 1;
        if (!letter || c->n + times > MAX_OPS)
            WRONG(r, "code: '%s'", word);
        for (; times; times--) {
            c->ops[c->n] = (uint8_t)(letter - letters);
            c->targets[c->n] = (uint32_t)strtoul(word + 1, NULL, 10);
            part->end = ++c->n;
        }
    }
}

static void set_option(struct reader *r)
{
    struct hd_diag d = {0};

    if (r->n != 3 || !hd_fields_set(hd_configkeys_find("points")->rows, &r->code.machine, "points",
                                    r->words[1], r->words[2], &d, r->path, r->line))
        WRONG(r, "option: %s", d.n ? d.entries[0].text : "expected KEY VALUE");
}

static void compare_points(struct reader *r)
{
    struct code *c = &r->code;
    struct hd_points_code code = {c->ops, c->targets, c->parts, c->n_parts};
    struct hd_points p = hd_points_find(r->a, &code, &c->machine.points, c->distance, c->recalc);
    char text[40] = "";

    if (is(r, "dropped") && number(r, 1) != p.dropped)
        WRONG(r, "%u points were dropped", p.dropped);
    if (is(r, "before") && (number(r, 1) != p.loads || number(r, 2) != p.branches))
        WRONG(r, "%u loads and %u branches", p.loads, p.branches);
    if (is(r, "points") && p.n != r->n - 1)
        WRONG(r, "%u points", p.n);
    for (uint32_t i = 0; is(r, "points") && i < p.n; i++) {
        snprintf(text, sizeof text, "%u:%s%u", p.points[i].pc, p.points[i].branch ? "b" : "",
                 p.points[i].score);
        if (strcmp(text, r->words[i + 1]) != 0)
            WRONG(r, "point %u is %s", i, text);
    }
    const uint8_t *column = is(r, "distance") ? c->distance : is(r, "recalc") ? c->recalc : NULL;
    if (column && r->n - 1 != c->n)
        WRONG(r, "%u values for %u instructions", r->n - 1, c->n);
    for (uint32_t i = 0; column && i < c->n; i++)
        if (column[i] != number(r, i + 1))
            WRONG(r, "at PC %u: %u", i, column[i]);
}

static bool points_statement(struct reader *r)
{
    if (is(r, "code")) {
        read_code(r);
    } else if (is(r, "option")) {
        set_option(r);
    } else if (is(r, "points") || is(r, "before") || is(r, "dropped") || is(r, "distance") ||
               is(r, "recalc")) {
        compare_points(r);
        r->checks++;
    } else {
        return false;
    }
    return true;
}

// Scripts

static void tell(struct script *x, enum hd_event_kind kind, int w, struct hd_event e)
{
    const struct hd_policy *p = x->choice.policy;

    e.kind = (uint8_t)kind;
    if (w != HD_NONE) {
        e.warp = (uint8_t)w;
        e.sched = (uint8_t)((unsigned)w % x->v.n_sched);
        e.tb = x->tb_of[w];
    }
    if (kind == HD_EV_ISSUE)
        x->v.last_issued[e.sched] = (int8_t)w;
    if (p->events & HD_ON(kind))
        p->on(x->st, &x->v, &e);
}

static void start_script(struct reader *r)
{
    struct script *x = &r->x;

    memset(x, 0, sizeof *x);
    choose(r, r->words[1], &x->choice);
    const struct hd_policy *p = x->choice.policy;
    unsigned n = (unsigned)number(r, 2);
    x->st = (struct hd_pstate){hd_arena_get(r->a, 1, p->gpu_bytes + 1),
                               hd_arena_get(r->a, 1, p->sm_bytes + 1),
                               hd_arena_get(r->a, n, p->sched_bytes + 1), x->choice.params};
    for (unsigned i = 0; i < 256; i++)
        x->distance[i] = (uint8_t)i; // so that a PC says the distance
    x->columns = (struct hd_static_view){256, x->kind, x->distance, x->recalc};
    x->v = (struct hd_view){.waiting = UINT64_MAX,
                            .pc = x->pc,
                            .age = x->age,
                            .progress = x->progress,
                            .tb_of = x->tb_of,
                            .tbs = x->tbs,
                            .tbs_pending = 1,
                            .n_sched = (uint8_t)n,
                            .n_warps = 16,
                            .head_load = UINT64_MAX,
                            .head_declared = UINT64_MAX,
                            .prog = &x->columns};
    memset(x->v.last_issued, HD_NONE, sizeof x->v.last_issued);
    for (unsigned w = 0; w < 16; w++)
        x->v.mine[w % n] |= hd_bit((int)w);
    tell(x, HD_EV_KERNEL_START, HD_NONE, (struct hd_event){0});
}

static int warp(struct reader *r, unsigned i)
{
    uint64_t w = number(r, i);

    if (w >= 16)
        WRONG(r, "warp %" PRIu64, w);
    return (int)w;
}

static void script_tb(struct reader *r)
{
    struct script *x = &r->x;
    struct hd_tb_view *tb = &x->tbs[x->next_tb];

    *tb = (struct hd_tb_view){.global_id = x->next_tb, .n_warps = (uint8_t)(r->n - 1)};
    for (unsigned i = 1; i < r->n; i++) {
        int w = warp(r, i);
        tb->warps |= hd_bit(w);
        x->tb_of[w] = (uint8_t)x->next_tb;
        x->age[w] = x->next_age++;
    }
    x->v.live |= tb->warps;
    x->v.waiting &= ~tb->warps;
    x->v.tb_live |= hd_bit((int)x->next_tb);
    tell(x, HD_EV_TB_START, HD_NONE, (struct hd_event){.tb = (uint8_t)x->next_tb++});
    for (unsigned i = 1; i < r->n; i++)
        tell(x, HD_EV_WARP_START, warp(r, i), (struct hd_event){0});
}

// Lost cycles up to this one; then this cycle's begin.
static void script_cycle(struct reader *r)
{
    struct script *x = &r->x;
    const struct hd_policy *p = x->choice.policy;

    while (x->v.cycle < number(r, 1)) {
        x->v.cycle++;
        for (int s = 0; s < x->v.n_sched && p->begin; s++) {
            struct hd_pstate st = x->st;
            st.sched = (char *)st.sched + (size_t)s * p->sched_bytes;
            p->begin(st, &x->v, s, 1);
        }
    }
}

static void script_block(struct script *x, unsigned slot)
{
    struct hd_tb_view *tb = &x->tbs[slot];

    if (!tb->at_barrier || tb->at_barrier + tb->finished < tb->n_warps)
        return;
    tb->at_barrier = 0;
    x->v.waiting &= ~(tb->warps & x->v.live);
    x->v.at_barrier &= ~tb->warps;
    tell(x, HD_EV_BAR_RELEASE, HD_NONE, (struct hd_event){.tb = (uint8_t)slot});
}

static void script_warp(struct reader *r)
{
    struct script *x = &r->x;
    int w = warp(r, 1);
    struct hd_tb_view *tb = &x->tbs[x->tb_of[w]];

    if (is(r, "issue")) {
        for (uint64_t n = r->n > 2 ? number(r, 2) : 1; n; n--) {
            x->progress[w] += 32;
            tb->progress += 32;
            tell(x, HD_EV_ISSUE, w, (struct hd_event){.next_pc = 1, .lanes = UINT32_MAX});
        }
    } else if (is(r, "progress")) {
        tb->progress += number(r, 2) - x->progress[w];
        x->progress[w] = number(r, 2);
    } else if (is(r, "alu")) {
        x->v.head_load &= ~hd_bit(w);
        x->v.head_declared &= ~hd_bit(w);
    } else if (is(r, "store")) {
        x->v.head_load &= ~hd_bit(w);
    } else if (is(r, "generic") || is(r, "texture")) {
        x->v.head_declared &= ~hd_bit(w);
        *(is(r, "generic") ? &x->v.head_generic : &x->v.head_texture) |= hd_bit(w);
    } else if (is(r, "jump")) {
        tell(x, HD_EV_PC_JUMP, w, (struct hd_event){.next_pc = (uint32_t)number(r, 2)});
    } else if (is(r, "arrive")) {
        tb->at_barrier++;
        x->v.waiting |= hd_bit(w);
        x->v.at_barrier |= hd_bit(w);
        tell(x, HD_EV_BAR_ARRIVE, w, (struct hd_event){0});
    } else {
        tb->finished++;
        x->v.live &= ~hd_bit(w);
        x->v.waiting |= hd_bit(w);
        tell(x, HD_EV_WARP_EXIT, w, (struct hd_event){0});
    }
    script_block(x, x->tb_of[w]);
}

static void script_replace(struct reader *r)
{
    struct script *x = &r->x;
    uint8_t slot = (uint8_t)number(r, 1);
    struct hd_tb_view *tb = &x->tbs[slot];
    int w;

    tell(x, HD_EV_TB_END, HD_NONE, (struct hd_event){.tb = slot});
    *tb =
        (struct hd_tb_view){.warps = tb->warps, .n_warps = tb->n_warps, .global_id = x->next_tb++};
    HD_EACH(w, tb->warps) {
        x->age[w] = x->next_age++;
        x->progress[w] = 0;
    }
    tell(x, HD_EV_TB_START, HD_NONE, (struct hd_event){.tb = slot});
    HD_EACH(w, tb->warps)
        tell(x, HD_EV_WARP_START, w, (struct hd_event){0});
}

static void script_cache(struct reader *r)
{
    struct script *x = &r->x;
    bool lose = is(r, "lose");
    struct hd_event e = {.line = number(r, is(r, "write") ? 1 : 2), .flags = HD_L1_MISS};

    for (uint64_t n = lose && r->n > 3 ? number(r, 3) : 1; n; n--) {
        e.owner = (uint32_t)number(r, 1);
        if (is(r, "write"))
            tell(x, HD_EV_L1_WRITE, 0, e);
        if (is(r, "evict") || lose)
            tell(x, HD_EV_L1_EVICT, 0, e);
        if (is(r, "miss") || lose)
            tell(x, HD_EV_L1_READ, warp(r, 1), e);
    }
}

// order: repeated first() over the scheduler's live warps; fetch: over all; allowed: as a set.
static void compare_order(struct reader *r)
{
    struct script *x = &r->x;
    const struct hd_policy *p = x->choice.policy;
    bool fetch = is(r, "fetch");
    unsigned s = fetch ? 0 : (unsigned)number(r, 1), first = fetch ? 1 : 2;
    struct hd_pstate st = x->st;
    uint64_t expected = 0, left = x->v.live & (fetch ? UINT64_MAX : x->v.mine[s]);

    st.sched = (char *)st.sched + s * p->sched_bytes;
    for (unsigned i = first; i < r->n; i++)
        expected |= hd_bit(warp(r, i));
    if (is(r, "allowed")) {
        uint64_t allowed = left & (p->eligible ? p->eligible(st, &x->v, (int)s) : UINT64_MAX);
        if (allowed != expected)
            WRONG(r, "allowed: %" PRIx64 ", expected %" PRIx64, allowed, expected);
        return;
    }
    if (left != expected)
        WRONG(r, "warps %" PRIx64 ", expected %" PRIx64, left, expected);
    for (unsigned i = first; i < r->n; i++) {
        int w = fetch ? p->fetch(st, &x->v, left) : p->first(st, &x->v, (int)s, left);
        if (w != warp(r, i))
            WRONG(r, "place %u is w%d", i - first, w);
        left &= ~hd_bit(w);
    }
}

// wait, go, empty: a fact about each of the warps.
static void script_facts(struct reader *r)
{
    struct hd_view *v = &r->x.v;

    for (unsigned i = 1; i < r->n; i++) {
        uint64_t bit = hd_bit(warp(r, i));
        v->sb_block = is(r, "wait") ? v->sb_block | bit : v->sb_block & ~bit;
        v->long_mark = is(r, "wait") ? v->long_mark | bit : v->long_mark & ~bit;
        v->ibuf_empty = is(r, "empty") ? v->ibuf_empty | bit : v->ibuf_empty & ~bit;
    }
}

static void script_lost(struct reader *r)
{
    struct script *x = &r->x;
    const struct hd_policy *p = x->choice.policy;

    for (uint64_t n = number(r, 1); n; n--) {
        x->v.cycle++;
        for (int s = 0; s < x->v.n_sched; s++) {
            struct hd_pstate st = x->st;
            st.sched = (char *)st.sched + (size_t)s * p->sched_bytes;
            if (p->begin)
                p->begin(st, &x->v, s, 1);
            uint64_t seen = x->v.mine[s] & (p->eligible ? p->eligible(st, &x->v, s) : UINT64_MAX);
            unsigned outcome = seen & hd_ready(&x->v)   ? HD_STALL_PIPELINE
                               : seen & hd_valid(&x->v) ? HD_STALL_SCOREBOARD
                                                        : HD_STALL_IDLE;
            if (p->end)
                p->end(st, &x->v, s, 1, outcome, seen);
        }
    }
}

static void compare_limit(struct reader *r)
{
    struct script *x = &r->x;
    unsigned limit = x->choice.policy->tb_limit(x->st, &x->v);

    if (limit != number(r, 1))
        WRONG(r, "the limit is %u", limit);
}

static void compare_fetch(struct reader *r)
{
    struct script *x = &r->x;
    uint64_t among = 0;

    for (unsigned i = 1; i < r->n; i++)
        among |= hd_bit(warp(r, i));
    int w = x->choice.policy->fetch(x->st, &x->v, among);
    if (w != warp(r, 1))
        WRONG(r, "fetches for w%d", w);
}

// What a policy for the whole SM sees.
static bool script_sm_statement(struct reader *r)
{
    if (is(r, "wait") || is(r, "go") || is(r, "empty"))
        script_facts(r);
    else if (is(r, "lost"))
        script_lost(r);
    else if (is(r, "fetched"))
        r->x.v.last_fetch = (int8_t)warp(r, 1);
    else if (is(r, "id"))
        r->x.tbs[number(r, 1) % HD_MAX_TBS].global_id = (uint32_t)number(r, 2);
    else if (is(r, "replace"))
        script_replace(r);
    else if (is(r, "kernel")) {
        r->x.v.tb_max = r->x.v.tb_fits = (uint8_t)number(r, 1);
        tell(&r->x, HD_EV_KERNEL_START, HD_NONE, (struct hd_event){0});
    } else if (is(r, "limit") || is(r, "fetch_first")) {
        (is(r, "limit") ? compare_limit : compare_fetch)(r);
        r->checks++;
    } else {
        return false;
    }
    return true;
}

static bool script_statement(struct reader *r)
{
    static const char *const warp_words[] = {"issue",   "progress", "alu",   "jump", "arrive",
                                             "generic", "texture",  "store", "exit"};
    static const char *const cache_words[] = {"evict", "miss", "lose", "write"};

    if (is(r, "script"))
        start_script(r);
    else if (is(r, "tb"))
        script_tb(r);
    else if (is(r, "cycle"))
        script_cycle(r);
    else if (is(r, "slow")) {
        r->x.v.tbs_pending = 0;
        tell(&r->x, HD_EV_PHASE_SLOW, HD_NONE, (struct hd_event){0});
    } else if (is(r, "order") || is(r, "fetch") || is(r, "allowed")) {
        compare_order(r);
        r->checks++;
    } else {
        for (unsigned i = 0; i < sizeof warp_words / sizeof *warp_words; i++)
            if (is(r, warp_words[i])) {
                script_warp(r);
                return true;
            }
        for (unsigned i = 0; i < sizeof cache_words / sizeof *cache_words; i++)
            if (is(r, cache_words[i])) {
                script_cache(r);
                return true;
            }
        return false;
    }
    return true;
}

static void read_golden(struct reader *r, char *text)
{
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        r->line++;
        r->n = 0;
        for (char *save = NULL, *word = strtok_r(line, " \t", &save); word && r->n < MAX_WORDS;
             word = strtok_r(NULL, " \t", &save))
            r->words[r->n++] = word;
        if (!r->n || r->words[0][0] == '#')
            continue;
        if (is(r, "source")) {
            r->sources++;
            continue;
        }
        if (!toy_statement(r) && !points_statement(r) && !script_sm_statement(r) &&
            !script_statement(r))
            WRONG(r, "what is '%s'?", r->words[0]);
    }
}

static void run_golden(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct reader *r = HD_NEW(a, reader);
    char err[HD_FILE_WHY];
    size_t bytes;

    r->a = a;
    r->path = *state;
    char *text = (char *)hd_file_read(a, r->path, &bytes, err);
    if (!text)
        fail_msg("%s: %s", r->path, err);
    read_golden(r, text);
    assert_true(r->sources > 0 && r->checks > 0); // every example says where it is from
    hd_arena_free(a);
}

static int only_goldens(const struct dirent *e)
{
    size_t n = strlen(e->d_name);

    return n > 7 && !strcmp(e->d_name + n - 7, ".golden");
}

int main(void)
{
    struct dirent **files;
    int n = scandir(FOLDER, &files, only_goldens, alphasort);
    struct hd_arena *a = hd_arena_new();

    if (n <= 0)
        return 1;
    struct CMUnitTest *tests = HD_ARRAY(a, struct CMUnitTest, (size_t)n);
    for (int i = 0; i < n; i++) {
        tests[i].name = hd_arena_strdup(a, files[i]->d_name);
        tests[i].test_func = run_golden;
        tests[i].initial_state = hd_arena_printf(a, "%s/%s", FOLDER, files[i]->d_name);
        free(files[i]);
    }
    free(files);
    int failed = _cmocka_run_group_tests("goldens", tests, (size_t)n, NULL, NULL);
    hd_arena_free(a);
    return failed;
}
