// cmd_exec_process.c - the program of heddle exec as a process: starts it, waits for it, and ends
// it with everything that it has started when heddle must end.
//
// heddle and the libraries in the program communicate through two pipes (cuda/abi/supervisor.h), so
// that a program which ignores signals, or does not call CUDA for long, is stopped with its results
// too. What does not end by itself is killed. When heddle is killed, the system kills the program,
// and the libraries in other processes notice that the pipe is closed.
#include "cmd/cmd_exec.h"

#include "base/diag.h"
#include "base/hostclock.h"
#include "cuda/abi/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CANNOT_RUN 126 // the status that shells use for a program that cannot be run
#define NOT_FOUND 127
#define PATIENCE 12 // seconds from an interrupt to the end of the program
#define AFTER 2     // seconds from its results to its end, if these take longer

const char *hd_cmd_exec_supervisor(struct hd_cmd_exec_process *p, struct hd_arena *a)
{
    if (pipe2(p->pipes, O_CLOEXEC | O_NONBLOCK))
        return NULL;
    if (pipe2(p->pipes + 2, O_CLOEXEC | O_NONBLOCK)) {
        close(p->pipes[0]);
        close(p->pipes[1]);
        memset(p->pipes, 0, sizeof p->pipes);
        return NULL;
    }
    return hd_arena_printf(a, "%ld:%d:%d", (long)getpid(), p->pipes[1], p->pipes[3]);
}

static void tell_libraries(const struct hd_cmd_exec_process *p, int message)
{
    static const char bytes[HD_SUPERVISOR_OVER];
    struct timespec moment = {.tv_nsec = 1000000};

    // The number of bytes is the message, so it must be written at once.
    for (int i = 0; p->pipes[1] && i < 1000; i++) {
        if (write(p->pipes[1], bytes, (size_t)message) >= 0 || errno != EINTR)
            return;
        nanosleep(&moment, NULL);
    }
}

// What the system's error `why` means for this file.
static const char *refusal(const char *path, int why)
{
    struct stat is;
    bool found = !stat(path, &is);

    if (why == ENOENT && found)
        return "the program that runs it (in a script, the one after #!) does not exist";
    if (why == EACCES && found && S_ISDIR(is.st_mode))
        return strerror(EISDIR);
    if (why == EACCES && found && !(is.st_mode & 0111))
        return "it is not executable; chmod +x makes it so";
    if (why == ENOEXEC)
        return "neither a program for this system nor a script that begins with #!";
    return strerror(why);
}

static void start(const struct hd_cmd_exec_process *p, pid_t parent, const sigset_t *mask)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(CANNOT_RUN);                                                // killed in the meantime
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_DFL}, NULL); // as main found them
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execve(p->path, (char *const *)(uintptr_t)p->words, p->env);
    int why = errno;
    fprintf(stderr, "heddle: %s: %s\n", p->path, refusal(p->path, why));
    _exit(why == ENOENT ? NOT_FOUND : CANNOT_RUN);
}

struct watch {
    struct hd_cmd_exec_process *process;
    pid_t pid;    // of the program
    bool ended;   // the program has ended; what it started may still run
    bool empty;   // no process is left
    int raw;      // its status as the system gives it
    double until; // once interrupted: when processes will be killed
    double since; // the interrupt
    bool at_once; // a second signal has come
    sigset_t signals;
};

// Collects ended processes; those whose parents have ended are heddle's children too.
static void reap(struct watch *w)
{
    int raw;

    for (;;) {
        pid_t pid = waitpid(-1, &raw, WNOHANG);
        if (pid <= 0) {
            w->empty = pid < 0 && errno == ECHILD;
            return;
        }
        if (pid == w->pid) {
            w->ended = true;
            w->raw = raw;
        }
    }
}

// Kills heddle's present children; their children become heddle's when they have ended.
static void kill_children(void)
{
    char path[64], text[4096];

    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    for (char *at = text, *end;; at = end) {
        long pid = strtol(at, &end, 10);
        if (end == at || *end != ' ') // the last number may be cut off: complete next time
            return;
        kill((pid_t)pid, SIGKILL);
    }
}

// An interrupt: the libraries stop their machines, and the program receives the signal as it would
// without heddle.
static void interrupt(struct watch *w, const siginfo_t *info)
{
    bool terminal = info->si_code == SI_KERNEL; // then its whole process group has had it
    int n = info->si_signo;

    // A second signal means "at once"; but a sender to the process and its group sends each signal
    // twice.
    if (w->until > 0) {
        if (hd_hostclock_now() - w->since < 1)
            return;
        w->at_once = true;
        w->until = hd_hostclock_now();
        return;
    }
    w->process->interrupted = n;
    w->since = hd_hostclock_now();
    w->until = w->since + PATIENCE;
    tell_libraries(w->process, n + (terminal ? HD_SUPERVISOR_TERMINAL : 0));
    if (!terminal)
        kill(w->pid, n);
    kill(w->pid, SIGCONT);
}

static void on_signal(struct watch *w, const siginfo_t *info)
{
    struct sigaction was;
    int n = info->si_signo;

    if (n == SIGCHLD)
        return;
    // Signals that are ignored because of nohup, or because this is a background job, are not for
    // heddle.
    if (!sigaction(n, NULL, &was) && was.sa_handler == SIG_IGN &&
        (n == SIGHUP || info->si_code == SI_KERNEL))
        return;
    if (n == SIGINT || n == SIGTERM || n == SIGHUP)
        interrupt(w, info);
    else if (info->si_code != SI_KERNEL)
        kill(w->pid, n);
}

static void read_reports(struct hd_cmd_exec_process *p)
{
    char byte;

    while (p->pipes[1] && read(p->pipes[2], &byte, 1) == 1) {
        p->unwritten = p->unwritten || byte == HD_SUPERVISOR_UNWRITTEN;
        p->used = p->used || byte == HD_SUPERVISOR_USED;
        p->failed = p->failed || byte == HD_SUPERVISOR_FAILED;
        p->ending += (byte == HD_SUPERVISOR_ENDING) - (byte == HD_SUPERVISOR_ENDED);
    }
}

// Results may take any time to be written, where the processor or the disk is busy. The libraries
// themselves give up if a machine does not stop.
static void wait_for_results(struct watch *w)
{
    read_reports(w->process);
    if (w->process->ending > 0 && !w->at_once)
        w->until = hd_hostclock_now() + AFTER;
}

// Waits until the program has ended; after an interrupt, until all processes have.
static void wait_for_end(struct watch *w)
{
    siginfo_t info;

    for (reap(w); !(w->ended && (!w->process->interrupted || w->empty)); reap(w)) {
        struct timespec most = {.tv_sec = 3600};
        if (w->until > 0 && w->until <= hd_hostclock_now())
            wait_for_results(w);
        double left = w->until - hd_hostclock_now();
        if (w->until > 0 && left <= 0) {
            kill_children();
            if (!w->ended)
                kill(w->pid, SIGKILL);
            left = 0.05;
        }
        if (w->until > 0)
            most = (struct timespec){(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
        if (sigtimedwait(&w->signals, &info, &most) > 0)
            on_signal(w, &info);
    }
}

// Sets 128 + N, like a shell.
static void conclude(struct watch *w)
{
    struct hd_cmd_exec_process *p = w->process;
    int ended_by = WIFSIGNALED(w->raw) ? WTERMSIG(w->raw) : 0;

    p->status = ended_by ? 128 + ended_by : WEXITSTATUS(w->raw);
    if (p->interrupted && ended_by == SIGKILL) {
        fprintf(stderr, "heddle: %s did not end after the interrupt and was killed\n", p->path);
        p->status = 128 + p->interrupted;
    } else if (ended_by && ended_by != SIGINT && ended_by != SIGPIPE) {
        fprintf(stderr, "heddle: %s: %s\n", p->path, strsignal(ended_by));
    }
    p->used = p->used || !p->pipes[1];
    read_reports(p);
}

void hd_cmd_exec_run(struct hd_cmd_exec_process *p)
{
    static const int watched[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    struct watch w = {.process = p};
    struct sigaction plain = {.sa_handler = SIG_DFL};
    pid_t parent = getpid();
    sigset_t before;

    sigemptyset(&w.signals);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        sigaddset(&w.signals, watched[i]);
    sigaction(SIGCHLD, &plain, NULL);
    sigprocmask(SIG_BLOCK, &w.signals, &before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    fflush(NULL);
    w.pid = fork();
    if (w.pid < 0) {
        fprintf(stderr, "heddle: cannot start a process: %s\n", strerror(errno));
        p->status = HD_EXIT_USER;
        return;
    }
    if (!w.pid)
        start(p, parent, &before);
    wait_for_end(&w);
    if (!p->interrupted)
        tell_libraries(p, HD_SUPERVISOR_OVER);
    conclude(&w);
}
