// team.c - see team.h.
//
// Work is handed out through a queue for each member: one word with the next place in `pieces` and
// the end of the member's part. A member that adds one to the word has taken that place, if it is
// before the end. A word is written again only after all that was taken has been done, so a member
// that comes late takes nothing or a piece of the present work, never one of earlier work; what
// that work is has been written before the word.
//
// A word that threads exchange is APART bytes from the next one: processors fetch pairs of lines.
#include "gpu/team.h"

#include "base/bug.h"
#include "registry/crash.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define APART 128
#define SPINS 2000 // some ten microseconds
#define YIELDS 200
#define STACK_BYTES ((size_t)8 << 20) // as the first thread of a process usually has
#define SECOND_STACK_BYTES ((size_t)1 << 16)
#define PATIENCE 5000  // milliseconds in which others may finish when the process ends
#define NEVER UINT_MAX // no piece has this number

struct word {
    atomic_uint_fast64_t value;
    uint8_t apart[APART - sizeof(atomic_uint_fast64_t)];
};

struct member {
    struct word queue; // next place; from bit 32 on: the end of its part
    struct word done;  // pieces that it has done since the team was made
    struct hd_bug_net net;
    struct hd_team *team;
    unsigned index, piece; // piece: the one in work
    unsigned unannounced;  // pieces taken since `done` was last increased
    unsigned failed;       // the lowest one with an error, and that error
    int status;
    char *message;
    uint8_t *second_stack; // to report that the other one is full
    pthread_t thread;
    uint8_t apart[APART];
};

struct hd_team {
    unsigned n, numbers;
    struct member *members; // the caller of hd_team_run is the first one
    pid_t process;          // in which the threads are
    uint64_t given;         // pieces of all rounds so far
    // The work of this round. Members read it only after they have taken a piece.
    void (*do_piece)(void *ctx, unsigned piece);
    void *ctx;
    const uint16_t *pieces;
    uint8_t apart[APART];
    struct word rounds; // so far; members wait for the next one
    struct word failed; // lowest piece with an error
    struct word asleep; // members that sleep, or are about to
    struct word over;   // not 0: the team ends
    pthread_mutex_t mutex;
    pthread_cond_t awake;
};

static void pause_briefly(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

// --- pieces

static bool take_of(struct member *from, unsigned *piece)
{
    uint64_t word = atomic_load_explicit(&from->queue.value, memory_order_relaxed);

    if ((uint32_t)word >= word >> 32)
        return false;
    word = atomic_fetch_add_explicit(&from->queue.value, 1, memory_order_acquire);
    if ((uint32_t)word >= word >> 32)
        return false;
    *piece = from->team->pieces[(uint32_t)word];
    return true;
}

// Of the parts of the members after it.
static bool take_from_others(struct member *m)
{
    struct hd_team *t = m->team;

    for (unsigned k = 1; k < t->n; k++) {
        unsigned other = m->index + k < t->n ? m->index + k : m->index + k - t->n;
        if (take_of(&t->members[other], &m->piece))
            return true;
    }
    return false;
}

// All that it has taken so far has been done.
static void announce(struct member *m)
{
    uint64_t done = atomic_load_explicit(&m->done.value, memory_order_relaxed);

    done += m->unannounced;
    m->unannounced = 0; // before: a signal in between waits too long rather than too briefly
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&m->done.value, done, memory_order_release);
}

static void do_taken(struct member *m)
{
    struct hd_team *t = m->team;

    m->unannounced++;
    if (m->piece < atomic_load_explicit(&t->failed.value, memory_order_relaxed))
        t->do_piece(t->ctx, m->piece);
}

// Its own part, then what others have not begun. The caller waits for what is announced, and each
// announcement moves a line from processor to processor, so that the own part has only one.
static void do_pieces(struct member *m)
{
    while (take_of(m, &m->piece))
        do_taken(m);
    if (m->unannounced)
        announce(m);
    while (take_from_others(m)) {
        do_taken(m);
        announce(m);
    }
}

// --- the threads

static bool no_work(struct hd_team *t, uint64_t seen)
{
    return atomic_load(&t->rounds.value) == seen && !atomic_load(&t->over.value);
}

static void await_work(struct hd_team *t, uint64_t seen)
{
    for (unsigned i = 0; i < SPINS + YIELDS; i++) {
        if (!no_work(t, seen))
            return;
        if (i < SPINS)
            pause_briefly();
        else
            sched_yield();
    }
    pthread_mutex_lock(&t->mutex);
    atomic_fetch_add(&t->asleep.value, 1); // before it looks again; hd_team_run looks in turn
    while (no_work(t, seen))
        pthread_cond_wait(&t->awake, &t->mutex);
    atomic_fetch_sub(&t->asleep.value, 1);
    pthread_mutex_unlock(&t->mutex);
}

static void wake_all(struct hd_team *t)
{
    pthread_mutex_lock(&t->mutex);
    pthread_cond_broadcast(&t->awake);
    pthread_mutex_unlock(&t->mutex);
}

static void serve(struct member *m)
{
    struct hd_team *t = m->team;
    uint64_t seen = 0;

    for (;;) {
        await_work(t, seen);
        if (atomic_load(&t->over.value))
            return;
        seen = atomic_load(&t->rounds.value);
        do_pieces(m);
    }
}

static void *start(void *arg)
{
    struct member *m = arg;

    hd_crash_second_stack(m->second_stack, SECOND_STACK_BYTES);
    hd_bug_net = &m->net;
    serve(m);
    return NULL;
}

// --- the caller

static uint64_t pieces_left(struct hd_team *t)
{
    uint64_t done = 0;

    for (unsigned i = 0; i < t->n; i++)
        done += atomic_load_explicit(&t->members[i].done.value, memory_order_acquire);
    return t->given - done;
}

static void finish_round(struct hd_team *t)
{
    unsigned failed;

    do_pieces(&t->members[0]);
    for (unsigned i = 0; pieces_left(t); i++)
        if (i < SPINS)
            pause_briefly();
        else
            sched_yield();
    hd_bug_net = NULL;
    failed = (unsigned)atomic_load_explicit(&t->failed.value, memory_order_relaxed);
    for (unsigned i = 0; failed != NEVER && i < t->n; i++)
        if (t->members[i].failed == failed)
            hd_bug_end(t->members[i].status, t->members[i].message);
}

static struct member *member_of(struct hd_bug_net *net)
{
    return (struct member *)(void *)((char *)net - offsetof(struct member, net));
}

static void note_error(struct member *m, int status, const char *message)
{
    uint64_t lowest = atomic_load(&m->team->failed.value);

    if (m->piece < m->failed) {
        m->failed = m->piece;
        m->status = status;
        snprintf(m->message, HD_BUG_TEXT, "%s", message);
    }
    while (m->piece < lowest &&
           !atomic_compare_exchange_weak(&m->team->failed.value, &lowest, m->piece))
        ;
}

// The piece that the member works on has an error. Its stack stays as it is, and the member goes on
// from here: a thread until the process ends, the caller of hd_team_run until the round does.
static void caught(struct hd_bug_net *net, int status, const char *message)
{
    struct member *m = member_of(net);

    note_error(m, status, message);
    announce(m);
    if (!m->index) {
        finish_round(m->team); // does not return, because there is an error to report
        HD_BUG("a round of a team ended in spite of an error");
    }
    serve(m);
    pthread_exit(NULL);
}

void hd_team_run(struct hd_team *t, void (*do_piece)(void *ctx, unsigned piece), void *ctx,
                 const uint16_t *pieces, unsigned n)
{
    unsigned k = 0;

    t->do_piece = do_piece;
    t->ctx = ctx;
    t->pieces = pieces;
    t->given += n;
    for (unsigned i = 0; i < t->n; i++) {
        unsigned first = k, end = (i + 1) * t->numbers / t->n;
        while (k < n && pieces[k] < end)
            k++;
        atomic_store_explicit(&t->members[i].queue.value, first | (uint64_t)k << 32,
                              memory_order_release);
    }
    hd_bug_net = &t->members[0].net;
    atomic_fetch_add(&t->rounds.value, 1);
    if (atomic_load(&t->asleep.value))
        wake_all(t);
    finish_round(t);
}

// What the calling thread has taken and not announced does not end meanwhile. A signal may have
// come when it had nothing; then another member may be doing the last piece.
bool hd_team_await_others(void)
{
    const struct timespec step = {.tv_nsec = 1000 * 1000};
    const struct member *m;
    unsigned own;

    if (!hd_bug_net)
        return false;
    m = member_of(hd_bug_net);
    own = m->unannounced ? m->unannounced : 1;
    for (unsigned i = 0; i < PATIENCE && pieces_left(m->team) > own; i++)
        nanosleep(&step, NULL);
    hd_bug_net = NULL; // nobody would take the error over
    return true;
}

// --- its life

// Signals of the process are for its other threads; crashes are for the thread that crashes.
static void block_signals(sigset_t *before)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t set;

    sigfillset(&set);
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&set, own[i]);
    pthread_sigmask(SIG_SETMASK, &set, before);
}

static void start_threads(struct hd_team *t, unsigned members)
{
    pthread_attr_t attributes;
    sigset_t before;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    block_signals(&before);
    while (t->n < members &&
           !pthread_create(&t->members[t->n].thread, &attributes, start, &t->members[t->n]))
        t->n++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

struct hd_team *hd_team_new(struct hd_arena *a, unsigned members, unsigned numbers)
{
    struct hd_team *t = HD_NEW(a, hd_team);

    HD_BUG_IF(!members || members > HD_TEAM_MOST, "a team of %u", members);
    t->numbers = numbers;
    t->members = HD_ARRAY(a, struct member, members);
    t->process = getpid();
    atomic_init(&t->failed.value, NEVER);
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->awake, NULL);
    for (unsigned i = 0; i < members; i++) {
        struct member *m = &t->members[i];
        m->net.caught = caught;
        m->team = t;
        m->index = i;
        m->failed = NEVER;
        m->message = hd_arena_get(a, HD_BUG_TEXT, 1);
        m->second_stack = hd_arena_get(a, SECOND_STACK_BYTES, 1);
    }
    t->n = 1;
    start_threads(t, members);
    return t;
}

void hd_team_free(struct hd_team *t)
{
    if (!t || t->process != getpid()) // a child of fork has no other threads
        return;
    atomic_store(&t->over.value, 1);
    wake_all(t);
    for (unsigned i = 1; i < t->n; i++)
        pthread_join(t->members[i].thread, NULL);
    pthread_cond_destroy(&t->awake);
    pthread_mutex_destroy(&t->mutex);
}
