// supervised.c - ends a program that `heddle exec` started, with results, when heddle is to end.
//
// A thread of ours waits for a message from heddle, and for signals that would end the program. The
// machine then stops soon, wherever the program is, and the next thread that leaves the device
// writes the results and ends the process as the signal would have. A program that handles the
// signal itself continues without a device. If heddle was killed, the program is killed too.
#include "cuda/core/supervised.h"

#include "cuda/abi/supervisor.h"
#include "cuda/core/threads.h"
#include "gpu/gpu.h"
#include "registry/crash.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 3.0 // seconds of processor time in which the machine must stop

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
#define N_ENDING (sizeof ending / sizeof *ending)

static int stop = -1, report = -1; // heddle's pipes
static int woken[2] = {-1, -1};    // our signal handler writes numbers into this pipe
static long supervisor;            // heddle's process
static struct hd_supervised_device device;
static pid_t owner;         // the process that the thread belongs to
static atomic_int asked;    // the signal that is to end the program; 0 before it
static atomic_bool known;   // the program has received it
static atomic_bool writing; // the machine has stopped: results are being written
static atomic_bool awaited; // heddle waits for them

bool hd_supervised_asked(void)
{
    return atomic_load(&asked) != 0;
}

// heddle writes its message before it sends a signal to the program, but the thread that waits for
// the message may not have run since.
bool hd_supervised_asked_by_now(void)
{
    int said = 0;

    if (hd_supervised_asked())
        return true;
    return owner == getpid() && !ioctl(stop, FIONREAD, &said) && said && said != HD_SUPERVISOR_OVER;
}

struct timespec hd_supervised_after(unsigned milliseconds)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += milliseconds / 1000;
    t.tv_nsec += milliseconds % 1000 * 1000000L;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

static bool look(void *ctx, const struct hd_gpu_progress *so_far)
{
    (void)ctx, (void)so_far;
    return !hd_supervised_asked();
}

static void say(char byte)
{
    if (report >= 0 && write(report, &byte, 1) != 1)
        return; // heddle has ended, or its pipe is full of such reports
}

void hd_supervised_writes(void)
{
    atomic_store(&writing, true);
}

void hd_supervised_written(void)
{
    if (atomic_exchange(&awaited, false))
        say(HD_SUPERVISOR_ENDED);
}

void hd_supervised_failed(void)
{
    say(HD_SUPERVISOR_UNWRITTEN);
}

void hd_supervised_launch_failed(void)
{
    say(HD_SUPERVISOR_FAILED);
}

void hd_supervised_used(void)
{
    say(HD_SUPERVISOR_USED);
}

static void on_signal(int signal_number)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};
    unsigned char n = (unsigned char)signal_number;

    if (getpid() == owner && write(woken[1], &n, 1) == 1)
        return;
    sigaction(signal_number, &plain, NULL); // a vfork child does not have the thread
    raise(signal_number);
}

// Does the program handle the signal itself?
static bool handled(int signal_number)
{
    struct sigaction now;

    return !sigaction(signal_number, NULL, &now) && now.sa_handler != on_signal &&
           now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
}

void hd_supervised_obey(void)
{
    int n = atomic_load(&asked);
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigset_t set;

    if (handled(n)) {
        // heddle has sent the signal to the program that it started, but not to others.
        if (!atomic_load(&known) && getppid() != supervisor)
            kill(getpid(), n);
        return;
    }
    sigaction(n, &plain, NULL);
    sigemptyset(&set);
    sigaddset(&set, n);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    kill(getpid(), n);
    _exit(128 + n);
}

// Seconds that the thread which holds the device has worked; -1 if it has ended.
static double worked(pthread_t thread)
{
    struct timespec t;
    clockid_t clock;

    if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &t))
        return -1;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A thread that holds the device notices `asked` and releases the device. If it works for long and
// does not, a policy hangs. A thread that gets no processor, or waits for a disk, does not work.
static bool may_stop(void)
{
    static pthread_t thread;
    static double from = -1;
    pthread_t now = device.holder();
    double so_far = worked(now);

    if (atomic_load(&writing) || so_far < 0)
        return true;
    if (from < 0 || !pthread_equal(now, thread)) {
        thread = now;
        from = so_far;
    }
    return so_far - from < PATIENCE;
}

static void end_program(int signal_number, bool had)
{
    atomic_store(&awaited, true);
    say(HD_SUPERVISOR_ENDING);
    atomic_store(&known, had);
    atomic_store(&asked, signal_number);
    if (device.settle(may_stop))
        return;
    hd_supervised_written();
    hd_crash_give_up(device.holder(), 128 + signal_number);
}

static void watch(void)
{
    struct pollfd ends[2] = {{.fd = stop, .events = POLLIN}, {.fd = woken[0], .events = POLLIN}};
    unsigned char number;

    for (;;) {
        int said = 0;
        if (poll(ends, 2, -1) < 0)
            continue;
        if ((ends[1].revents & POLLIN) && read(woken[0], &number, 1) == 1) {
            end_program(number, true);
            return;
        }
        if (!ends[0].revents || ioctl(stop, FIONREAD, &said))
            continue;
        if (!said)
            kill(getpid(), SIGKILL);
        if (said == HD_SUPERVISOR_OVER)
            return;
        end_program(said % HD_SUPERVISOR_TERMINAL, said > HD_SUPERVISOR_TERMINAL);
        return;
    }
}

static int open_pipe(long fd, int flags)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%ld/fd/%ld", supervisor, fd);
    return open(path, flags | O_CLOEXEC | O_NONBLOCK);
}

static bool find_supervisor(void)
{
    const char *text = getenv("HEDDLE_SUPERVISOR");
    char *end;
    long numbers[3];

    for (int i = 0; i < 3; i++, text = end + (*end == ':')) {
        numbers[i] = text ? strtol(text, &end, 10) : 0;
        if (!text || end == text || numbers[i] < 0)
            return false;
    }
    supervisor = numbers[0];
    stop = open_pipe(numbers[1], O_RDONLY);
    report = open_pipe(numbers[2], O_WRONLY);
    return stop >= 0 && report >= 0 && !pipe2(woken, O_CLOEXEC | O_NONBLOCK);
}

void hd_supervised_start(const struct hd_supervised_device *d, struct hd_gpu_options *o)
{
    static struct hd_thread watcher = {watch};
    static bool tried;
    struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, now;

    device = *d;
    if (!tried && find_supervisor() && hd_threads_start(&watcher))
        owner = getpid();
    tried = true;
    if (owner != getpid())
        return;
    o->progress = look;
    for (size_t i = 0; i < N_ENDING; i++)
        if (!sigaction(ending[i], NULL, &now) && now.sa_handler == SIG_DFL)
            sigaction(ending[i], &ours, NULL);
}

void hd_supervised_forget(void)
{
    struct sigaction plain = {.sa_handler = SIG_DFL}, now;

    for (size_t i = 0; owner && i < N_ENDING; i++)
        if (!sigaction(ending[i], NULL, &now) && now.sa_handler == on_signal)
            sigaction(ending[i], &plain, NULL);
    owner = 0;
}
