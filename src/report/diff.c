// diff.c - two runs, class by class, reason by reason, line by line. See diff.h.
#include "report/diff.h"

#include "present/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINES 10          // PTX lines and kernels shown
#define SMALL 0.005       // a counter that changes by less is not shown
#define HELD_BACK "order" // as in the profile: the reason of idle cycles that a policy makes
#define TINY_CYCLES 0.5   // nor is a part of less than half a cycle

struct side {
    const struct hd_diff_side *given;
    double ways; // schedulers x SMs
    double cycles, insts;
    json_t *stalls, *counters; // sums over launches
};

struct part { // a part of the cycles: those of A, those of B
    const char *name, *words;
    double a, b;
};

static int by_weight(const void *x, const void *y)
{
    const struct part *p = x, *q = y;
    double one = fabs(p->b - p->a), two = fabs(q->b - q->a);

    if (one < two || one > two)
        return one < two ? 1 : -1;
    return strcmp(p->name, q->name);
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void add_all(json_t *to, const json_t *from)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)from, key, value)
    {
        if (json_is_number(value))
            hd_json_put(to, key, json_real(number(to, key) + json_number_value(value)));
    }
}

static double sum(const json_t *object)
{
    double all = 0;
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        all += json_number_value(value);
    }
    return all;
}

// Each cycle of a scheduler has been counted for one kernel. Where kernels ran at the same time,
// the sum of their cycles says too much, and what passed is that of the whole run, with the time in
// which no kernel was there. False if the counts cannot be those of a run.
static bool count_overlap(struct side *s)
{
    const double counted = sum(s->stalls);
    const double elapsed =
        number(json_object_get(s->given->run, "totals"), "elapsed_cycles") * s->ways;

    if (fabs(counted - s->cycles * s->ways) < 0.5)
        return true;
    if (elapsed < counted - 0.5 || counted <= 0)
        return false;
    s->cycles = elapsed / s->ways;
    hd_json_put(s->stalls, "between", json_real(elapsed - counted));
    return true;
}

static bool read_side(const struct hd_diff_side *given, struct side *s, struct hd_diag *d)
{
    const json_t *kernels = json_object_get(given->run, "kernels");
    const json_t *options = json_object_get(given->run, "options");

    *s = (struct side){.given = given, .stalls = json_object(), .counters = json_object()};
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *k = json_array_get(kernels, i);
        s->cycles += number(k, "cycles");
        add_all(s->stalls, json_object_get(k, "stalls"));
        add_all(s->counters, json_object_get(k, "counters"));
    }
    s->insts = number(s->stalls, "issued");
    s->ways = number(options, "sm.schedulers") * number(options, "sm.sms");
    if (json_is_array(kernels) && s->cycles > 0 && s->ways > 0 && count_overlap(s))
        return true;
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                             "%s: no cycles to compare: not the result of one timed run",
                             given->name),
                 "'heddle run --json' writes one; for a comparison, use --db and give the numbers "
                 "of two runs");
    return false;
}

static const char *signed_count(struct hd_arena *a, double v)
{
    const char *digits = hd_out_count(a, (uint64_t)(fabs(v) + 0.5));

    return hd_arena_printf(a, "%s%s", fabs(v) < 0.5 ? "" : v < 0 ? "-" : "+", digits);
}

static const char *plain_count(struct hd_arena *a, double v)
{
    return hd_out_count(a, (uint64_t)(v + 0.5));
}

static void add_part(struct hd_sheet *s, const struct part *p, double difference)
{
    hd_sheet_add(s, plain_count(s->arena, p->a));
    hd_sheet_add(s, plain_count(s->arena, p->b));
    hd_sheet_add(s, signed_count(s->arena, p->b - p->a));
    if (fabs(difference) >= TINY_CYCLES)
        hd_sheet_addf(s, "%.0f", floor(100 * (p->b - p->a) / difference + 0.5)); // never -0
    else
        hd_sheet_add(s, NULL);
}

static void add_heads(struct hd_sheet *s, const char *const *heads, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hd_sheet_add(s, heads[i]);
}
#define ADD_HEADS(s, heads) add_heads(s, heads, sizeof heads / sizeof *(heads))

static const char *text_of(const json_t *run, const char *key)
{
    const char *text = json_string_value(json_object_get(run, key));

    return text ? text : "?";
}

static const char *describe(struct hd_arena *a, const struct hd_diff_side *s)
{
    const char *size = json_string_value(json_object_get(s->run, "size"));
    const char *sets = json_string_value(json_object_get(s->run, "set"));
    const char *input = size ? hd_arena_printf(a, " (%s, seed %" JSON_INTEGER_FORMAT ")", size,
                                               json_integer_value(json_object_get(s->run, "seed")))
                             : "";

    return hd_arena_printf(a, "%s%s under %s on %s%s%s", text_of(s->run, "workload"), input,
                           text_of(s->run, "sched"), text_of(s->run, "gpu"),
                           sets && *sets ? " " : "", sets ? sets : "");
}

// One choice and the other. Returns whether they differ.
static bool note_choice(const char *key, const json_t *one, const json_t *other, unsigned before,
                        struct hd_out *to)
{
    if (one == other || json_equal(one, other))
        return false;
    hd_out_printf(to, "%s%s: ", before ? "; " : "", key);
    hd_json_add(one ? json_copy((json_t *)(uintptr_t)one) : json_null(), to);
    hd_out_printf(to, " in A, ");
    hd_json_add(other ? json_copy((json_t *)(uintptr_t)other) : json_null(), to);
    hd_out_printf(to, " in B");
    return true;
}

#define MOST_CHOICES 13

// Reports what differs of the input, and every option that does. The changes to the machine name
// what is no option of the result: the PTX, plug-ins.
static void note_options(const struct side *a, const struct side *b, struct hd_sheet *s)
{
    const json_t *x = json_object_get(a->given->run, "options");
    const json_t *y = json_object_get(b->given->run, "options");
    static const char *const inputs[] = {"workload", "size", "seed"};
    struct hd_out text = {.arena = s->arena};
    const char *key;
    json_t *value;
    unsigned n = 0;

    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        n += note_choice(inputs[i], json_object_get(a->given->run, inputs[i]),
                         json_object_get(b->given->run, inputs[i]), n, &text);
    json_object_foreach((json_t *)(uintptr_t)x, key, value)
    {
        if (n < MOST_CHOICES)
            n += note_choice(key, value, json_object_get(y, key), n, &text);
    }
    json_object_foreach((json_t *)(uintptr_t)y, key, value)
    {
        if (n < MOST_CHOICES && !json_object_get(x, key))
            n += note_choice(key, NULL, value, n, &text);
    }
    if (!n)
        n += note_choice("set", json_object_get(a->given->run, "set"),
                         json_object_get(b->given->run, "set"), n, &text);
    hd_sheet_note(s, n ? hd_arena_printf(s->arena, "Chosen differently: %.900s.", text.text)
                       : "Chosen differently: no option; so the inputs, the code of a policy or "
                         "the heddle differ.");
}

static void note_work(const struct side *a, const struct side *b, struct hd_sheet *s)
{
    double more = b->insts - a->insts;

    if (fabs(more) < 0.5)
        hd_sheet_note(s, hd_arena_printf(s->arena,
                                         "Both issue the same %s warp instructions: the difference "
                                         "is in how long they wait.",
                                         plain_count(s->arena, a->insts)));
    else
        hd_sheet_note(s, hd_arena_printf(s->arena,
                                         "They do not do the same work: B issues %s warp "
                                         "instructions, %s %s than A.",
                                         plain_count(s->arena, b->insts),
                                         plain_count(s->arena, fabs(more)),
                                         more > 0 ? "more" : "fewer"));
}

static const char *cycles_text(struct hd_arena *a, double cycles)
{
    const char *count = plain_count(a, cycles);

    return hd_arena_printf(a, "%s cycle%s", count, strcmp(count, "1") ? "s" : "");
}

static void explain_classes(const struct side *a, const struct side *b, struct hd_sheets *out)
{
    struct part parts[] = {
        {"issued", "cycles in which an instruction was issued: the work itself", 0, 0},
        {"idle",
         "no warp had an instruction to offer: they stood at barriers, waited for instructions to "
         "be fetched, the policy held them back, or there were none",
         0, 0},
        {"scoreboard",
         "every warp that had an instruction, and that the policy let through, waited for a "
         "register that an earlier instruction had not written yet, most often for what a load "
         "brings",
         0, 0},
        {"pipeline",
         "a warp was ready, but the unit it needed was full; with loads and stores the load/store "
         "unit, which memory holds up",
         0, 0},
        {"inactive",
         "the SM had no block: the launch was still to come, or others were still at work", 0, 0},
        {"between", "no kernel was there: those that kernels had launched were not ready yet", 0,
         0},
    };
    size_t n_parts = sizeof parts / sizeof *parts;
    static const char *const heads[] = {"CLASS", "A", "B", "B - A", "% OF IT"};
    struct hd_sheet *s =
        hd_sheet_new(out, "classes",
                     hd_arena_printf(out->arena, "A: %s\nB: %s", describe(out->arena, a->given),
                                     describe(out->arena, b->given)),
                     "lrrrr");
    double difference = b->cycles - a->cycles;

    ADD_HEADS(s, heads);
    if (!json_object_get(a->stalls, "between") && !json_object_get(b->stalls, "between"))
        n_parts--;
    for (size_t i = 0; i < n_parts; i++) {
        parts[i].a = number(a->stalls, parts[i].name) / a->ways;
        parts[i].b = number(b->stalls, parts[i].name) / b->ways;
    }
    qsort(parts, n_parts, sizeof *parts, by_weight);
    for (size_t i = 0; i < n_parts; i++) {
        hd_sheet_add(s, parts[i].name);
        add_part(s, &parts[i], difference);
    }
    hd_sheet_add(s, "cycles");
    add_part(s, &(struct part){"", "", a->cycles, b->cycles}, difference);
    hd_sheet_note(s, hd_arena_printf(s->arena, "B takes %s%s (%+.1f %%).",
                                     cycles_text(s->arena, fabs(difference)),
                                     fabs(difference) < 0.5 ? " more or less"
                                     : difference < 0       ? " fewer than A"
                                                            : " more than A",
                                     100 * difference / a->cycles));
    note_options(a, b, s);
    note_work(a, b, s);
    for (size_t i = 0, n = 0; i < n_parts; i++) {
        double more = parts[i].b - parts[i].a;
        if (fabs(more) >= TINY_CYCLES)
            hd_sheet_note(s, hd_arena_printf(s->arena, "%zu. %s, %s %s: %s.", ++n, parts[i].name,
                                             cycles_text(s->arena, fabs(more)),
                                             more > 0 ? "more" : "fewer", parts[i].words));
    }
}

// Parts by name, added up: a small map that keeps its order.
struct parts {
    struct hd_arena *arena;
    struct part *items;
    size_t n, cap;
};

static struct part *part_of(struct parts *p, const char *name, const char *words)
{
    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->items[i].name, name))
            return &p->items[i];
    struct part *fresh = HD_PUSH(p->arena, p->items, p->n, p->cap);
    *fresh = (struct part){.name = name, .words = words};
    return fresh;
}

static void add_kernels(struct parts *p, const struct side *s, bool is_b)
{
    const json_t *kernels = json_object_get(s->given->run, "kernels");

    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *k = json_array_get(kernels, i);
        struct part *part = part_of(p, text_of(k, "name"), "");
        *(is_b ? &part->b : &part->a) += sum(json_object_get(k, "stalls")) / s->ways;
    }
}

static void explain_kernels(const struct side *a, const struct side *b, struct hd_sheets *out)
{
    static const char *const heads[] = {"KERNEL", "A", "B", "B - A", "% OF IT"};
    struct parts p = {.arena = out->arena};

    add_kernels(&p, a, false);
    add_kernels(&p, b, true);
    if (p.n < 2)
        return;
    struct hd_sheet *s = hd_sheet_new(out, "kernels", "Cycles by kernel", "lrrrr");
    ADD_HEADS(s, heads);
    qsort(p.items, p.n, sizeof *p.items, by_weight);
    for (size_t i = 0; i < p.n && i < LINES; i++) {
        hd_sheet_add(s, p.items[i].name);
        add_part(s, &p.items[i], b->cycles - a->cycles);
    }
}

static void add_idle(struct parts *p, const struct side *s, bool is_b)
{
    static const char *const words[][2] = {
        {"fetch", "waiting for the next instruction to be fetched"},
        {"barrier", "waiting at a barrier for slower warps of the block"},
        {"memory", "waiting for an atomic or at a memory fence"},
        {HELD_BACK, "held back by the policy"},
        {"stores", "ended warps waiting for their last stores"},
        {"empty", "no warps on the SM"},
    };

    for (size_t i = 0; i < json_array_size(s->given->profile); i++) {
        const json_t *idle = json_object_get(json_array_get(s->given->profile, i), "idle");
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            struct part *part = part_of(p, words[k][0], words[k][1]);
            *(is_b ? &part->b : &part->a) += number(idle, words[k][0]) / s->ways;
        }
    }
}

// What policies cost that hold warps back: cycles in which a warp could have issued.
static void note_held_back(const struct side *a, const struct side *b, const struct part *held,
                           struct hd_sheet *s)
{
    if (held->a < TINY_CYCLES && held->b < TINY_CYCLES)
        return;
    hd_sheet_note(s,
                  hd_arena_printf(s->arena,
                                  HELD_BACK ": what holding warps back cost, %s in A (%s) and "
                                            "%s in B (%s). Warps had an instruction to offer, "
                                            "and the policy let none of them through.",
                                  cycles_text(s->arena, held->a), text_of(a->given->run, "sched"),
                                  cycles_text(s->arena, held->b), text_of(b->given->run, "sched")));
}

static void explain_idle(const struct side *a, const struct side *b, struct hd_sheets *out)
{
    static const char *const heads[] = {"IDLE", "A", "B", "B - A", "% OF IT", "WARPS WERE"};
    struct parts p = {.arena = out->arena};

    add_idle(&p, a, false);
    add_idle(&p, b, true);
    struct hd_sheet *s = hd_sheet_new(out, "idle", "Idle cycles by reason", "lrrrrl");
    ADD_HEADS(s, heads);
    if (p.n)
        qsort(p.items, p.n, sizeof *p.items, by_weight);
    for (size_t i = 0; i < p.n; i++) {
        if (p.items[i].a < TINY_CYCLES && p.items[i].b < TINY_CYCLES)
            continue;
        hd_sheet_add(s, p.items[i].name);
        add_part(s, &p.items[i], b->cycles - a->cycles);
        hd_sheet_add(s, p.items[i].words);
    }
    note_held_back(a, b, part_of(&p, HELD_BACK, ""), s);
}

struct line { // a PTX line of a kernel that waits
    const char *kernel, *function, *ptx, *class;
    const json_t *all; // the kernel's instructions, and its place in them
    size_t at;
    int64_t line;
    double a, b;
};

static int by_line_weight(const void *x, const void *y)
{
    const struct line *p = x, *q = y;
    double one = fabs(p->b - p->a), two = fabs(q->b - q->a);

    if (one < two || one > two)
        return one < two ? 1 : -1;
    return p->line < q->line ? -1 : p->line > q->line;
}

struct lines {
    struct hd_arena *arena;
    struct line *items;
    size_t n, cap;
};

static struct line *line_of(struct lines *l, const struct line *like)
{
    for (size_t i = 0; i < l->n; i++) {
        struct line *x = &l->items[i];
        if (x->line == like->line && x->class == like->class && !strcmp(x->kernel, like->kernel) &&
            !strcmp(x->function, like->function) && x->at == like->at)
            return x;
    }
    struct line *fresh = HD_PUSH(l->arena, l->items, l->n, l->cap);
    *fresh = *like;
    return fresh;
}

static void add_lines(struct lines *l, const struct side *s, bool is_b)
{
    static const char *const classes[] = {"scoreboard", "pipeline"};

    for (size_t i = 0; i < json_array_size(s->given->profile); i++) {
        const json_t *kernel = json_array_get(s->given->profile, i);
        const json_t *all = json_object_get(kernel, "instructions");
        for (size_t k = 0; k < json_array_size(all); k++) {
            const json_t *at = json_array_get(all, k);
            for (int c = 0; c < 2; c++) {
                double cycles = number(at, classes[c]) / s->ways;
                struct line like = {.kernel = text_of(kernel, "name"),
                                    .function = text_of(at, "function"),
                                    .ptx = text_of(at, "ptx"),
                                    .class = classes[c],
                                    .all = all,
                                    .at = k,
                                    .line = json_integer_value(json_object_get(at, "line"))};
                if (cycles > 0)
                    *(is_b ? &line_of(l, &like)->b : &line_of(l, &like)->a) += cycles;
            }
        }
    }
}

// The register at *text, or NULL after the last; *text moves past it.
static const char *next_register(const char **text, size_t *n)
{
    const char *from = strchr(*text, '%');

    if (!from)
        return NULL;
    *n = 1 + strspn(from + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$");
    *text = from + *n;
    return from;
}

// Does an instruction write this register? The first it names, unless it is a store or the guard.
static bool writes(const char *ptx, const char *reg, size_t n)
{
    const char *text = ptx;
    size_t m;

    if (*text == '@')
        text += strcspn(text, " \t");
    text += strspn(text, " \t");
    if (!strncmp(text, "st.", 3) || !strncmp(text, "bra", 3) || !strncmp(text, "red", 3))
        return false;
    const char *first = next_register(&text, &m);
    return first && m == n && !memcmp(first, reg, n);
}

// The instruction above that produces what this one reads: a load if one of them is, else the
// nearest.
static const char *awaited(struct hd_arena *a, const struct line *l)
{
    const char *text = l->ptx, *reg, *best = NULL;
    size_t n;
    int64_t best_line = 0;

    while ((reg = next_register(&text, &n)))
        for (size_t i = l->at; i-- > 0;) {
            const json_t *above = json_array_get(l->all, i);
            const char *ptx = text_of(above, "ptx");
            if (!writes(ptx, reg, n))
                continue;
            bool load = strstr(ptx, "ld.") || strstr(ptx, "tex.") || strstr(ptx, "atom.");
            if (load || !best) {
                best = ptx;
                best_line = json_integer_value(json_object_get(above, "line"));
            }
            if (load)
                return hd_arena_printf(a, "%lld: %.40s", (long long)best_line, best);
            break;
        }
    return best ? hd_arena_printf(a, "%lld: %.40s", (long long)best_line, best) : "";
}

static void explain_lines(const struct side *a, const struct side *b, struct hd_sheets *out)
{
    static const char *const heads[] = {"A",    "B",   "B - A",     "% OF IT", "CLASS",
                                        "LINE", "PTX", "WAITS FOR", "KERNEL"};
    struct lines l = {.arena = out->arena};

    add_lines(&l, a, false);
    add_lines(&l, b, true);
    struct hd_sheet *s = hd_sheet_new(out, "lines", "PTX lines at which warps waited", "rrrrlrlll");
    ADD_HEADS(s, heads);
    if (l.n)
        qsort(l.items, l.n, sizeof *l.items, by_line_weight);
    for (size_t i = 0; i < l.n && i < LINES; i++) {
        const struct line *x = &l.items[i];
        add_part(s, &(struct part){"", "", x->a, x->b}, b->cycles - a->cycles);
        hd_sheet_add(s, x->class);
        hd_sheet_addf(s, "%lld", (long long)x->line);
        hd_sheet_addf(s, "%.40s", x->ptx);
        hd_sheet_add(s, strcmp(x->class, "scoreboard") != 0 ? "a free unit" : awaited(s->arena, x));
        hd_sheet_add(s, x->kernel);
    }
    hd_sheet_note(s, "A line is where a warp waited, not what it waited for: WAITS FOR names the "
                     "instruction above that writes a register it reads, a load if there is one.");
}

struct counter { // a number, or a ratio of two, that the JSON's counters give
    const char *name, *part, *of, *words;
};
static const struct counter counters[] = {
    {"L1D accesses", "l1d_accesses", NULL, "requests to the L1 data cache"},
    {"L1D misses", "l1d_misses", NULL, "lines not found in L1, to be fetched from L2"},
    {"L1D miss rate, %", "l1d_misses", "l1d_accesses", "misses among the accesses"},
    {"L1D merged", "l1d_pending", NULL, "loads that waited for a line already on its way"},
    {"L1D refused", "l1d_reservation_fails", NULL, "cycles in which L1 had no room for a miss"},
    {"L1I misses", "l1i_misses", NULL, "instruction lines not found"},
    {"constant misses", "l1c_misses", NULL, "lines not found in the constant cache"},
    {"texture misses", "l1t_misses", NULL, "lines not found in the texture cache"},
    {"requeued", "requeue_completed", NULL, "entries of the re-execution queue"},
    {"L2 accesses", "l2_accesses", NULL, "requests that reached the L2"},
    {"L2 misses", "l2_misses", NULL, "lines to be fetched from DRAM"},
    {"L2 miss rate, %", "l2_misses", "l2_accesses", "misses among the accesses"},
    {"DRAM reads", "dram_reads", NULL, "bursts read"},
    {"DRAM writes", "dram_writes", NULL, "bursts written"},
    {"DRAM rows opened", "dram_activates", NULL, "a row that is not open costs time"},
    {"DRAM busy, %", "dram_busy", "dram_cycles", "of the data buses' time in use"},
    {"memory latency", "latency_cycles", "replies", "cycles from a request to its reply, mean"},
    {"bank conflicts", "shared_conflict_cycles", NULL, "extra cycles in shared memory"},
    {"flushes", "flushes", NULL, "instruction buffers emptied by branches"},
};
#define N_COUNTERS (sizeof counters / sizeof *counters)

static double value_of(const struct side *s, const struct counter *c)
{
    double part = number(s->counters, c->part), of = c->of ? number(s->counters, c->of) : 1;
    double scale = c->of && strchr(c->name, '%') ? 100 : 1;

    return of > 0 ? scale * part / of : 0;
}

static int by_change(const void *x, const void *y)
{
    const struct part *p = x, *q = y;
    double one = fabs(log((p->b + 1) / (p->a + 1))), two = fabs(log((q->b + 1) / (q->a + 1)));

    if (one < two || one > two)
        return one < two ? 1 : -1;
    return strcmp(p->name, q->name);
}

static void explain_memory(const struct side *a, const struct side *b, struct hd_sheets *out)
{
    static const char *const heads[] = {"COUNTER", "A", "B", "CHANGE", "WHAT IT IS"};
    struct part parts[N_COUNTERS];
    struct hd_sheet *s =
        hd_sheet_new(out, "memory", "Caches and DRAM, what changed most first", "lrrrl");
    unsigned same = 0;

    for (size_t i = 0; i < N_COUNTERS; i++)
        parts[i] = (struct part){counters[i].name, counters[i].words, value_of(a, &counters[i]),
                                 value_of(b, &counters[i])};
    qsort(parts, N_COUNTERS, sizeof *parts, by_change);
    ADD_HEADS(s, heads);
    for (size_t i = 0; i < N_COUNTERS; i++) {
        const struct part *p = &parts[i];
        bool counted = p->a > 0 || p->b > 0, ratio = strchr(p->name, '%') || strstr(p->name, "lat");
        if (fabs(p->b - p->a) <= SMALL * fmax(p->a, p->b)) {
            same += counted;
            continue;
        }
        hd_sheet_add(s, p->name);
        hd_sheet_add(s,
                     ratio ? hd_arena_printf(s->arena, "%.1f", p->a) : plain_count(s->arena, p->a));
        hd_sheet_add(s,
                     ratio ? hd_arena_printf(s->arena, "%.1f", p->b) : plain_count(s->arena, p->b));
        if (p->a > 0)
            hd_sheet_addf(s, "%+.1f %%", 100 * (p->b - p->a) / p->a);
        else
            hd_sheet_add(s, "new");
        hd_sheet_add(s, p->words);
    }
    hd_sheet_note(s, hd_arena_printf(s->arena,
                                     "These do not add up to cycles: they say where waiting comes "
                                     "from. %u other counters change by less than half a per cent.",
                                     same));
}

bool hd_diff_explain(const struct hd_diff_side *a, const struct hd_diff_side *b,
                     struct hd_sheets *out, struct hd_diag *d)
{
    struct side x = {0}, y = {0};
    bool good = read_side(a, &x, d) && read_side(b, &y, d);

    if (good) {
        explain_classes(&x, &y, out);
        explain_kernels(&x, &y, out);
        if (a->profile && b->profile) {
            explain_idle(&x, &y, out);
            explain_lines(&x, &y, out);
        } else {
            hd_sheet_note(out->items[0],
                          "PTX lines are not known: compare --db and annotate --json "
                          "record them.");
        }
        if (json_object_size(x.counters) && json_object_size(y.counters))
            explain_memory(&x, &y, out);
        else
            hd_sheet_note(out->items[0], "Caches and DRAM are not known: run --json records them.");
        for (size_t i = 0; i < out->n; i++)
            out->items[i]->numbers = true;
    }
    json_decref(x.stalls);
    json_decref(x.counters);
    json_decref(y.stalls);
    json_decref(y.counters);
    return good;
}
