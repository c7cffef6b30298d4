// clock.h - seconds of the host, of a clock that only goes forward: for progress, patience and host
// times. They may reach no result.
#ifndef HEDDLE_BASE_CLOCK_H
#define HEDDLE_BASE_CLOCK_H

double hd_clock_now(void);

#endif
