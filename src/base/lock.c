// lock.c - see lock.h.
#include "base/lock.h"

#include "base/bug.h"

#ifdef HD_DEBUG
static _Thread_local unsigned own;

static unsigned *held_here(void)
{
    return &own;
}

static unsigned *(*held)(void) = held_here;

unsigned *hd_lock_held(void)
{
    return held();
}

void hd_lock_share(unsigned *(*theirs)(void))
{
    held = theirs;
}

static const char *const names[HD_N_LOCKS] = {"loading modules", "the device",
                                              "the runtime's tables"};

static void taken(enum hd_lock_rank rank)
{
    unsigned now = *hd_lock_held();

    HD_BUG_IF(now >> rank, "the lock of %s is taken under the lock of %s", names[rank],
              names[31 - __builtin_clz(now)]);
    *hd_lock_held() |= 1u << rank;
}

static void released(enum hd_lock_rank rank)
{
    HD_BUG_IF(!(*hd_lock_held() >> rank & 1), "the lock of %s is released, but not held",
              names[rank]);
    *hd_lock_held() &= ~(1u << rank);
}

void hd_lock_none(void)
{
    unsigned now = *hd_lock_held();

    HD_BUG_IF(now, "a function of the program is called under the lock of %s",
              names[31 - __builtin_clz(now)]);
}
#else
static void taken(enum hd_lock_rank rank)
{
    (void)rank;
}

static void released(enum hd_lock_rank rank)
{
    (void)rank;
}

void hd_lock_none(void)
{
}
#endif

void hd_lock_take(struct hd_lock *l)
{
    taken(l->rank); // before waiting for it
    pthread_mutex_lock(&l->mutex);
}

bool hd_lock_take_until(struct hd_lock *l, const struct timespec *until)
{
    if (pthread_mutex_timedlock(&l->mutex, until))
        return false;
    taken(l->rank);
    return true;
}

void hd_lock_release(struct hd_lock *l)
{
    pthread_mutex_unlock(&l->mutex);
    released(l->rank);
}

void hd_lock_wait(struct hd_lock *l, pthread_cond_t *c)
{
    pthread_cond_wait(c, &l->mutex);
}

bool hd_lock_wait_until(struct hd_lock *l, pthread_cond_t *c, const struct timespec *until)
{
    return !pthread_cond_timedwait(c, &l->mutex, until);
}

void hd_lock_forked(struct hd_lock *l)
{
    pthread_mutex_init(&l->mutex, NULL);
#ifdef HD_DEBUG
    *hd_lock_held() &= ~(1u << l->rank);
#endif
}
