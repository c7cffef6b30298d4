// hostclock.h - seconds of the host, of a clock that only goes forward: for progress, patience and
// host times. They may reach no result.
#ifndef HEDDLE_BASE_HOSTCLOCK_H
#define HEDDLE_BASE_HOSTCLOCK_H

double hd_hostclock_now(void);

#endif
