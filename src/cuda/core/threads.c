// threads.c - see threads.h.
#include "cuda/core/threads.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint n_ours;
static _Thread_local bool ours;

static void *begin(void *thread)
{
    struct hd_thread *t = thread;

    ours = true;
    atomic_fetch_add(&n_ours, 1);
    t->run();
    atomic_fetch_sub(&n_ours, 1);
    return NULL;
}

bool hd_threads_start(struct hd_thread *t)
{
    sigset_t all, before;
    pthread_attr_t a;
    pthread_t thread;
    bool started;

    sigfillset(&all);
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = !pthread_create(&thread, &a, begin, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&a);
    return started;
}

// A thread of ours that has just begun, or is about to end, may count as one of the program's.
bool hd_threads_alone(void)
{
    DIR *d = opendir("/proc/self/task");
    unsigned threads = 0;

    for (const struct dirent *e; d && (e = readdir(d));)
        threads += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return !ours && threads == 1 + atomic_load(&n_ours);
}

void hd_threads_forked(void)
{
    atomic_store(&n_ours, 0);
    ours = false;
}
