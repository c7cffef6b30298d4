// crash.c - messages of a program that crashes. See crash.h.
//
// A plug-in is the user's code in heddle's process. If it crashes, a message that names it saves a
// debugger session. Uses only calls that are safe in a signal handler, dladdr, and backtrace, which
// is called once before, because its first call loads a library.
#include "registry/crash.h"

#include "base/bug.h"
#include "registry/registry.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

// Sanitizers have their own handlers and reports.
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HAS_SANITIZER
#endif

#define INTERRUPTED 130 // as a shell reports SIGINT

static void say(const char *text)
{
    size_t n = strlen(text);

    while (n) {
        ssize_t k = write(STDERR_FILENO, text, n);
        if (k <= 0)
            return;
        text += k;
        n -= (size_t)k;
    }
}

static const void *counter_of(const void *context)
{
    const ucontext_t *c = context;
#if defined __x86_64__
    return (const void *)(uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    return (const void *)(uintptr_t)c->uc_mcontext.pc;
#else
    return c ? NULL : c;
#endif
}

// The plug-in whose code ran; NULL if it was other code.
static const char *plugin_at(const void *context)
{
    const void *pc = counter_of(context);
    Dl_info at;

    return pc && dladdr(pc, &at) ? hd_registry_plugin_at(at.dli_fbase) : NULL;
}

#ifndef HAS_SANITIZER
#define FRAMES 24 // of the stack that are searched

// The plug-in whose code ran or called what ran, such as abort(); NULL if there is none.
static const char *plugin_above(const void *context)
{
    const char *plugin = plugin_at(context);
    void *frames[FRAMES];
    int n = plugin || !hd_registry_has_plugins() ? 0 : backtrace(frames, FRAMES);
    Dl_info at;

    for (int i = 0; i < n && !plugin; i++)
        if (dladdr(frames[i], &at))
            plugin = hd_registry_plugin_at(at.dli_fbase);
    return plugin;
}

static char other_stack[1 << 16]; // the usual one may have overflowed

static bool guests; // the process belongs to another program

static void say_signal(int signal_number)
{
    say(signal_number == SIGSEGV   ? ": invalid access to memory, or its stack ran out"
        : signal_number == SIGBUS  ? ": access to memory that does not exist"
        : signal_number == SIGFPE  ? ": integer division by zero"
        : signal_number == SIGABRT ? ": called abort()"
                                   : ": invalid instruction");
}

// Several threads that step SMs may crash in the same cycle. The first one prints its message and
// ends the process; the others wait for that.
static void speak_alone(void)
{
    static _Atomic pid_t speaker;
    pid_t first = 0, self = gettid();

    if (atomic_compare_exchange_strong(&speaker, &first, self))
        return;
    if (first == self) // it crashed again while it printed its message
        _exit(HD_EXIT_BUG);
    for (;;)
        pause();
}

// A plug-in's crash is an error of the user who chose the plug-in.
static void on_crash(int signal_number, siginfo_t *info, void *context)
{
    const char *plugin = plugin_above(context);
    const struct sigaction usual = {.sa_handler = SIG_DFL};

    if (guests && !plugin) { // without this handler the instruction runs again
        sigaction(signal_number, &usual, NULL);
        if (info->si_code <= 0)
            raise(signal_number);
        return;
    }
    speak_alone();
    say("\nheddle: ");
    say(plugin ? "the plug-in " : "internal error");
    say(plugin ? plugin : "");
    say_signal(signal_number);
    if (plugin)
        say("\n");
    else if (hd_registry_has_plugins())
        say(", in heddle, or because a plug-in has overwritten memory\n"
            "'heddle check-policy FILE.so' tries a plug-in.\n");
    else
        say("\nThis is a bug in heddle. Please report it with the command line and input.\n");
    _exit(plugin ? HD_EXIT_USER : HD_EXIT_BUG);
}

static void catch_crashes(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    struct sigaction act = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction now;

    hd_crash_second_stack(other_stack, sizeof other_stack);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigaction(signals[i], NULL, &now) && now.sa_handler == SIG_DFL)
            sigaction(signals[i], &act, NULL);
}
#endif

void hd_crash_second_stack(void *stack, size_t bytes)
{
#ifdef HAS_SANITIZER
    (void)stack, (void)bytes;
#else
    const stack_t new = {.ss_sp = stack, .ss_size = bytes};
    stack_t has;

    if (!sigaltstack(NULL, &has) && (has.ss_flags & SS_DISABLE))
        sigaltstack(&new, NULL);
#endif
}

static bool over; // main has returned

// Some code called exit() in the middle of a run: there are no results, whatever the exit status
// says. heddle's own calls come after a message (base/bug.c, base/arena.c).
static void on_end(int status, void *unused)
{
    (void)unused;
    if (over || status == HD_EXIT_BUG || status == HD_EXIT_USER)
        return;
    say(hd_registry_has_plugins() ? "\nheddle: a plug-in" : "\nheddle: some code");
    say(" called exit() in the middle of the run: there are no results\n");
    _exit(hd_registry_has_plugins() ? HD_EXIT_USER : HD_EXIT_BUG);
}

void hd_crash_over(void)
{
    over = true;
}

void hd_crash_watch(void)
{
    on_exit(on_end, NULL);
#ifndef HAS_SANITIZER
    catch_crashes();
#endif
}

void hd_crash_watch_plugins(void)
{
#ifndef HAS_SANITIZER
    guests = true;
    catch_crashes();
#endif
}

static int given_up = INTERRUPTED; // exit status

static void on_alarm(int signal_number, siginfo_t *info, void *context)
{
    const char *plugin = plugin_at(context);

    (void)signal_number, (void)info;
    say("\nheddle: interrupted, but ");
    say(plugin ? "the plug-in " : "the run");
    say(plugin ? plugin : "");
    say(" did not return; ended without results\n");
    _exit(given_up);
}

static void watch_alarm(void)
{
    struct sigaction act = {.sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO};
    sigset_t set;

    sigaction(SIGALRM, &act, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void hd_crash_expect_end(unsigned seconds)
{
    watch_alarm();
    alarm(seconds);
}

// If the thread blocks the signal, the message has no name.
void hd_crash_give_up(pthread_t thread, int status)
{
    given_up = status;
    watch_alarm();
    pthread_kill(thread, SIGALRM);
    sleep(1);
    say("\nheddle: interrupted, but the run did not return; ended without results\n");
    _exit(status);
}
