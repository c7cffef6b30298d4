// workers.c - fork, wait, collect. See workers.h.
//
// Results travel through memory files, so that nothing is left behind on any disk. Signals are
// taken synchronously: they are blocked, and the loop asks for the next one.
#include "study/workers.h"

#include "base/bug.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BAR 30

struct child {
    pid_t pid; // 0: no process
    int result, talk;
};

struct state {
    struct hd_arena *arena;
    const struct hd_workers *workers;
    struct hd_workers_result *results;
    struct child *children; // by task
    unsigned started, running, done;
    double begin, weight, weight_done;
    sigset_t watched, before;
    struct sigaction child_before;
};

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double weight_of(const struct hd_workers *w, unsigned task)
{
    return w->weights ? w->weights[task] : 1;
}

// "40 s", "12 min", "3 h 05 min"
static void print_left(double seconds)
{
    if (seconds < 90)
        fprintf(stderr, ", %.0f s left", seconds);
    else if (seconds < 5400)
        fprintf(stderr, ", %.0f min left", seconds / 60);
    else
        fprintf(stderr, ", %.0f h %02.0f min left", floor(seconds / 3600),
                floor(fmod(seconds, 3600) / 60));
}

static void draw(const struct state *s)
{
    unsigned n = s->workers->n_tasks, full = s->done * BAR / n;
    double spent = seconds_now() - s->begin;

    if (!s->workers->progress)
        return;
    fprintf(stderr, "\r[%.*s%.*s] %u/%u %s", (int)full, "##############################",
            (int)(BAR - full), "..............................", s->done, n, s->workers->noun);
    if (s->weight_done > 0)
        print_left(spent / s->weight_done * (s->weight - s->weight_done));
    fputs("\033[K", stderr);
    fflush(stderr);
}

__attribute__((noreturn)) static void be_child(struct state *s, unsigned task, pid_t parent)
{
    const struct child *c = &s->children[task];
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    int status = HD_EXIT_BUG;

    prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would collect the result
    if (getppid() != parent)
        _exit(HD_EXIT_BUG);
    sigprocmask(SIG_SETMASK, &s->before, NULL);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(c->talk, STDERR_FILENO);
    FILE *result = fdopen(c->result, "w");
    if (result) {
        status = s->workers->work(s->workers->ctx, task, result);
        if (fclose(result))
            status = HD_EXIT_BUG;
    }
    fflush(stderr);
    _exit(status);
}

static void end_task(struct state *s, unsigned task)
{
    s->done++;
    s->weight_done += weight_of(s->workers, task);
    if (s->workers->ended)
        s->workers->ended(s->workers->ctx, task, &s->results[task]);
}

static void fail_to_start(struct state *s, unsigned task)
{
    struct hd_workers_result *r = &s->results[task];

    r->done = true;
    r->status = HD_EXIT_BUG;
    r->result = "";
    r->talk = hd_arena_printf(s->arena, "cannot start a process: %s\n", strerror(errno));
    end_task(s, task);
}

// Start the next task. False if the system has no process to give now but may have one later.
static bool start(struct state *s)
{
    unsigned task = s->started;
    struct child *c = &s->children[task];
    pid_t parent = getpid();

    c->result = memfd_create("heddle-result", MFD_CLOEXEC);
    c->talk = memfd_create("heddle-talk", MFD_CLOEXEC);
    fflush(NULL); // or the child would write our buffers again
    c->pid = c->result < 0 || c->talk < 0 ? -1 : fork();
    if (c->pid == 0)
        be_child(s, task, parent);
    if (c->pid > 0) {
        s->started++;
        s->running++;
        return true;
    }
    c->pid = 0;
    int why = errno;
    if (c->result >= 0)
        close(c->result);
    if (c->talk >= 0)
        close(c->talk);
    if (s->running)
        return false;
    errno = why;
    s->started++;
    fail_to_start(s, task);
    return true;
}

static const char *slurp(struct state *s, int fd, size_t *bytes)
{
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = hd_arena_get(s->arena, (size_t)(size > 0 ? size : 0) + 1, 1);
    ssize_t n = size > 0 ? pread(fd, text, (size_t)size, 0) : 0;

    close(fd);
    text[n > 0 ? n : 0] = '\0';
    if (bytes)
        *bytes = n > 0 ? (size_t)n : 0;
    return text;
}

static void collect(struct state *s, unsigned task, int wait_status)
{
    struct hd_workers_result *r = &s->results[task];
    struct child *c = &s->children[task];

    r->done = true;
    r->result = slurp(s, c->result, &r->bytes);
    r->talk = slurp(s, c->talk, NULL);
    if (WIFEXITED(wait_status)) {
        r->status = WEXITSTATUS(wait_status);
    } else {
        r->status = HD_EXIT_BUG;
        r->bytes = 0;
        r->talk = hd_arena_printf(s->arena, "%sthe process was ended by signal %d (%s)\n", r->talk,
                                  WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
    }
    c->pid = 0;
    s->running--;
    end_task(s, task);
}

static void reap(struct state *s)
{
    int status;

    for (unsigned i = 0; i < s->started; i++)
        if (s->children[i].pid && waitpid(s->children[i].pid, &status, WNOHANG) > 0)
            collect(s, i, status);
}

static void end_all(struct state *s)
{
    for (unsigned i = 0; i < s->started; i++)
        if (s->children[i].pid)
            kill(s->children[i].pid, SIGKILL);
    for (unsigned i = 0; i < s->started; i++)
        if (s->children[i].pid) {
            while (waitpid(s->children[i].pid, NULL, 0) < 0 && errno == EINTR)
                ;
            close(s->children[i].result);
            close(s->children[i].talk);
        }
}

static void watch_signals(struct state *s)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};

    // An inherited "ignore" would let children vanish without a status.
    sigaction(SIGCHLD, &plain, &s->child_before);
    sigemptyset(&s->watched);
    sigaddset(&s->watched, SIGCHLD);
    sigaddset(&s->watched, SIGINT);
    sigaddset(&s->watched, SIGTERM);
    sigaddset(&s->watched, SIGHUP);
    sigprocmask(SIG_BLOCK, &s->watched, &s->before);
}

bool hd_workers_run(struct hd_arena *a, const struct hd_workers *workers,
                    struct hd_workers_result *results)
{
    struct state s = {.arena = a, .workers = workers, .results = results, .begin = seconds_now()};
    const struct timespec tick = {.tv_nsec = 200 * 1000 * 1000};
    bool interrupted = false;

    s.children = HD_ARRAY(a, struct child, workers->n_tasks + 1);
    memset(results, 0, workers->n_tasks * sizeof *results);
    for (unsigned i = 0; i < workers->n_tasks; i++)
        s.weight += weight_of(workers, i);
    watch_signals(&s);
    while (s.done < workers->n_tasks && !interrupted) {
        while (s.started < workers->n_tasks && s.running < workers->at_once && start(&s))
            ;
        draw(&s);
        if (s.done == workers->n_tasks)
            break;
        int signal_number = sigtimedwait(&s.watched, NULL, &tick);
        interrupted =
            signal_number == SIGINT || signal_number == SIGTERM || signal_number == SIGHUP;
        reap(&s); // also on the tick: several ends may come as one signal
    }
    if (interrupted)
        end_all(&s);
    if (workers->progress)
        fputs("\r\033[K", stderr);
    sigprocmask(SIG_SETMASK, &s.before, NULL);
    sigaction(SIGCHLD, &s.child_before, NULL);
    return !interrupted;
}
