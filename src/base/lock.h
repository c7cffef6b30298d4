// lock.h - the locks of the process and the order in which a thread may take them.
//
// A thread takes locks in the order of rising ranks, so no two threads can wait for each other. The
// ranks are defined only here. Functions of the program (host functions, callbacks, destructors of
// user objects, sizes for occupancy) are called with no lock held, so they may wait for anything.
// Debug builds check both rules and end with a bug report that names the locks.
#ifndef HEDDLE_BASE_LOCK_H
#define HEDDLE_BASE_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

enum hd_lock_rank {
    HD_LOCK_LOADING, // cudart: a module of the program is loaded; calls the driver
    HD_LOCK_DEVICE,  // cuda: the one device; every call of the driver takes it
    HD_LOCK_TABLES,  // cudart: what constructors have registered; nothing is called under it
    HD_N_LOCKS
};

struct hd_lock {
    pthread_mutex_t mutex;
    enum hd_lock_rank rank;
};
#define HD_LOCK_INIT(rank)                                                                         \
    {                                                                                              \
        PTHREAD_MUTEX_INITIALIZER, rank                                                            \
    }

void hd_lock_take(struct hd_lock *l);
bool hd_lock_take_until(struct hd_lock *l, const struct timespec *until); // false: not in time
void hd_lock_release(struct hd_lock *l);
// Wait for a condition; the lock is free meanwhile.
void hd_lock_wait(struct hd_lock *l, pthread_cond_t *c);
bool hd_lock_wait_until(struct hd_lock *l, pthread_cond_t *c, const struct timespec *until);
// In a child of fork: the thread that held it does not exist there.
void hd_lock_forked(struct hd_lock *l);
// A function of the program is called next.
void hd_lock_none(void);

#ifdef HD_DEBUG
// The ranks that the calling thread holds, a bit for each. The libraries of a process have copies
// of this file and share one of them.
unsigned *hd_lock_held(void);
void hd_lock_share(unsigned *(*held)(void));
#endif

#endif
