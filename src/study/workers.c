// workers.c - fork, wait, collect. See workers.h.
//
// Results travel through memory files, so that nothing remains on any disk. Signals are
// taken synchronously: they are blocked, and the loop asks for the next one. An interrupt may also
// come while a callback waits for the database; it is still pending then.
#include "study/workers.h"

#include "base/bug.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/hostclock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BAR 30

struct child {
    pid_t pid; // 0: no process
    int result, messages;
};

struct state {
    struct hd_arena *arena;
    const struct hd_workers *workers;
    struct hd_workers_result *results;
    struct child *children;         // by task
    struct hd_workers_pulse *pulse; // by task, shared with the children; NULL: no memory for it
    int chosen;                     // the next task, if there was no process for it yet; -1: none
    bool all;                       // no task is left to start
    unsigned started, running, done;
    double begin, weight, weight_done;
    sigset_t watched, before;
    struct sigaction child_before;
};

static double weight_of(const struct hd_workers *w, unsigned task)
{
    return w->weights ? w->weights[task] : 1;
}

// "40 s", "12 min", "3 h 05 min"
static int put_left(char *to, size_t room, double seconds)
{
    if (seconds < 90)
        return snprintf(to, room, ", %.0f s left", seconds);
    if (seconds < 5400)
        return snprintf(to, room, ", %.0f min left", seconds / 60);
    return snprintf(to, room, ", %.0f h %02.0f min left", floor(seconds / 3600),
                    floor(fmod(seconds, 3600) / 60));
}

static unsigned columns_of_terminal(void)
{
    struct winsize size = {0};

    return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 40 ? size.ws_col : 80;
}

// The runs in progress: "matmul under gto, 45/64 blocks".
static size_t put_running(const struct state *s, char *to, size_t room)
{
    const struct hd_workers *w = s->workers;
    size_t n = 0;

    for (unsigned i = 0; i < w->n_tasks && n + 1 < room; i++) {
        if (!s->children[i].pid)
            continue;
        n += (size_t)snprintf(to + n, room - n, "%s%s", n ? "; " : ": ", w->label(w->ctx, i));
        unsigned long long blocks = s->pulse ? s->pulse[i].blocks : 0;
        if (blocks && n < room)
            n += (size_t)snprintf(to + n, room - n, ", %llu/%llu blocks",
                                  (unsigned long long)s->pulse[i].blocks_done, blocks);
    }
    return n < room ? n : room - 1;
}

static void draw(const struct state *s)
{
    const struct hd_workers *w = s->workers;
    unsigned elsewhere = w->elsewhere ? *w->elsewhere : 0, done = s->done + elsewhere;
    unsigned full = done * BAR / w->n_tasks;
    double gone = s->weight_done + (w->elsewhere_weight ? *w->elsewhere_weight : 0);
    double spent = hd_hostclock_now() - s->begin;
    char line[1024];
    size_t n;

    if (!w->progress)
        return;
    n = (size_t)snprintf(line, sizeof line, "[%.*s%.*s] %u/%u %s", (int)full,
                         "##############################", (int)(BAR - full),
                         "..............................", done, w->n_tasks, w->noun);
    if (s->weight_done > 0)
        n += (size_t)put_left(line + n, sizeof line - n, spent / gone * (s->weight - gone));
    if (w->label && s->running)
        n += put_running(s, line + n, sizeof line - n);
    else if (!s->running && s->done + elsewhere < w->n_tasks)
        n += (size_t)snprintf(line + n, sizeof line - n, ", waiting for other processes");
    if (n >= columns_of_terminal()) {
        n = columns_of_terminal() - 1;
        while (n && ((unsigned char)line[n] & 0xc0) == 0x80) // not in the middle of a character
            n--;
    }
    line[n] = '\0';
    fputc('\r', stderr);
    hd_diag_put(line, stderr);
    fputs("\033[K", stderr);
    fflush(stderr);
}

__attribute__((noreturn)) static void be_child(struct state *s, unsigned task, pid_t parent)
{
    const struct child *c = &s->children[task];
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    int status = HD_EXIT_BUG;

    prctl(PR_SET_PDEATHSIG, SIGKILL); // no process would collect the result
    if (getppid() != parent)
        _exit(HD_EXIT_BUG);
    sigprocmask(SIG_SETMASK, &s->before, NULL);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(c->messages, STDERR_FILENO);
    FILE *result = fdopen(c->result, "w");
    if (result) {
        status = s->workers->work(s->workers->ctx, task, result, s->pulse ? &s->pulse[task] : NULL);
        if (fclose(result))
            status = HD_EXIT_BUG;
    }
    fflush(stderr);
    _exit(status);
}

// Results may be large, so that each is dropped when it has been taken.
static void end_task(struct state *s, unsigned task)
{
    struct hd_workers_result *r = &s->results[task];

    s->done++;
    s->weight_done += weight_of(s->workers, task);
    if (s->workers->ended)
        s->workers->ended(s->workers->ctx, task, r);
    r->result = "";
    r->bytes = 0;
}

static void fail_to_start(struct state *s, unsigned task)
{
    struct hd_workers_result *r = &s->results[task];

    r->done = true;
    r->status = HD_EXIT_BUG;
    r->result = "";
    r->messages = hd_arena_printf(s->arena, "cannot start a process: %s\n", strerror(errno));
    end_task(s, task);
}

// Chooses the next task; -1: there is none now.
static int choose(struct state *s)
{
    const struct hd_workers *w = s->workers;
    int task = w->next                   ? w->next(w->ctx)
               : s->started < w->n_tasks ? (int)s->started
                                         : HD_WORKERS_NONE;

    s->all = task == HD_WORKERS_NONE;
    return task >= 0 ? task : -1;
}

// Starts the next task. False if there is none to start now, or if the system has no process now
// but may have one later.
static bool start(struct state *s)
{
    if (s->chosen < 0 && (s->chosen = choose(s)) < 0)
        return false;
    unsigned task = (unsigned)s->chosen;
    struct child *c = &s->children[task];
    pid_t parent = getpid();

    c->result = memfd_create("heddle-result", MFD_CLOEXEC);
    c->messages = memfd_create("heddle-messages", MFD_CLOEXEC);
    fflush(NULL); // or the child would write the parent's buffers again
    c->pid = c->result < 0 || c->messages < 0 ? -1 : fork();
    if (c->pid == 0)
        be_child(s, task, parent);
    if (c->pid > 0) {
        s->chosen = -1;
        s->started++;
        s->running++;
        return true;
    }
    c->pid = 0;
    int why = errno;
    if (c->result >= 0)
        close(c->result);
    if (c->messages >= 0)
        close(c->messages);
    if (s->running)
        return false;
    errno = why;
    s->chosen = -1;
    s->started++;
    fail_to_start(s, task);
    return true;
}

// Whether the program caused the signal itself; other signals come from outside.
static bool is_crash(int signal_number)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        if (crashes[i] == signal_number)
            return true;
    return false;
}

static void tell_killed(struct state *s, struct hd_workers_result *r, const struct rusage *used)
{
    const char *name = sigabbrev_np(r->signal), *why = "";

    if (r->signal == SIGKILL)
        why = "; unless someone did that, memory ran out (the kernel's log says so: dmesg): with "
              "--jobs "
              "N fewer runs share it";
    else if (r->signal == SIGXCPU)
        why = "; a limit of processor time ended it (ulimit -t)";
    else if (is_crash(r->signal))
        why = "; this is a bug in heddle or in a plug-in";
    r->messages = hd_arena_printf(
        s->arena, "%sthe process was ended by signal %d (SIG%s: %s), having used %.1f GB%s\n",
        r->messages, r->signal, name ? name : "?", strsignal(r->signal),
        (double)used->ru_maxrss * 1024 / 1e9, why);
}

static void collect(struct state *s, unsigned task, int wait_status, const struct rusage *used)
{
    struct hd_workers_result *r = &s->results[task];
    struct child *c = &s->children[task];
    struct hd_arena *scratch = hd_arena_new();

    r->done = true;
    r->result = hd_file_all(scratch, c->result, &r->bytes);
    r->messages = hd_file_all(s->arena, c->messages, NULL);
    close(c->result);
    close(c->messages);
    if (WIFEXITED(wait_status)) {
        r->status = WEXITSTATUS(wait_status);
    } else {
        r->signal = WTERMSIG(wait_status);
        r->status = is_crash(r->signal) ? HD_EXIT_BUG : 128 + r->signal;
        r->bytes = 0;
        tell_killed(s, r, used);
    }
    c->pid = 0;
    s->running--;
    end_task(s, task);
    hd_arena_free(scratch);
}

static void reap(struct state *s)
{
    struct rusage used;
    int status;

    for (unsigned i = 0; i < s->workers->n_tasks && s->running; i++)
        if (s->children[i].pid && wait4(s->children[i].pid, &status, WNOHANG, &used) > 0)
            collect(s, i, status, &used);
}

static void end_all(struct state *s)
{
    for (unsigned i = 0; i < s->workers->n_tasks; i++)
        if (s->children[i].pid)
            kill(s->children[i].pid, SIGKILL);
    for (unsigned i = 0; i < s->workers->n_tasks; i++)
        if (s->children[i].pid) {
            while (waitpid(s->children[i].pid, NULL, 0) < 0 && errno == EINTR)
                ;
            close(s->children[i].result);
            close(s->children[i].messages);
        }
}

static void watch_signals(struct state *s)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};

    // With an inherited "ignore", children would end without a status.
    sigaction(SIGCHLD, &plain, &s->child_before);
    sigemptyset(&s->watched);
    sigaddset(&s->watched, SIGCHLD);
    sigaddset(&s->watched, SIGINT);
    sigaddset(&s->watched, SIGTERM);
    sigaddset(&s->watched, SIGHUP);
    sigprocmask(SIG_BLOCK, &s->watched, &s->before);
}

static void map_pulse(struct state *s)
{
    size_t bytes = (s->workers->n_tasks + 1) * sizeof *s->pulse;
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    s->pulse = shared == MAP_FAILED ? NULL : shared;
}

// Runs until everything has ended. False: interrupted.
static bool loop(struct state *s)
{
    const struct timespec tick = {.tv_nsec = 200 * 1000 * 1000};
    const struct hd_workers *w = s->workers;

    for (;;) {
        while (!s->all && s->running < w->at_once && start(s))
            ;
        draw(s);
        if (s->all && !s->running)
            return true;
        int signal_number = sigtimedwait(&s->watched, NULL, &tick);
        if (signal_number == SIGINT || signal_number == SIGTERM || signal_number == SIGHUP)
            return false;
        reap(s); // also on the tick: several ends may come as one signal
        if (w->tick)
            w->tick(w->ctx);
    }
}

bool hd_workers_run(struct hd_arena *a, const struct hd_workers *workers,
                    struct hd_workers_result *results)
{
    struct state s = {.arena = a,
                      .workers = workers,
                      .results = results,
                      .chosen = -1,
                      .all = !workers->n_tasks,
                      .begin = hd_hostclock_now()};

    if (!workers->n_tasks)
        return true;
    s.children = HD_ARRAY(a, struct child, workers->n_tasks + 1);
    memset(results, 0, workers->n_tasks * sizeof *results);
    for (unsigned i = 0; i < workers->n_tasks; i++)
        s.weight += weight_of(workers, i);
    map_pulse(&s);
    watch_signals(&s);
    bool whole = loop(&s);
    if (!whole)
        end_all(&s);
    if (workers->progress)
        fputs("\r\033[K", stderr);
    if (s.pulse)
        munmap(s.pulse, (workers->n_tasks + 1) * sizeof *s.pulse);
    sigprocmask(SIG_SETMASK, &s.before, NULL);
    sigaction(SIGCHLD, &s.child_before, NULL);
    return whole;
}
