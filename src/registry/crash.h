// crash.h - last words: the program, or a plug-in in it, crashed, left or does not come back.
#ifndef HEDDLE_REGISTRY_CRASH_H
#define HEDDLE_REGISTRY_CRASH_H

#include <pthread.h>

// In heddle itself: say what crashed, and that some code called exit() in the
// middle.
void hd_crash_watch(void);
void hd_crash_over(void); // the program ends as it should
// In another program: say it of a plug-in only. What else crashes ends as it would without us.
void hd_crash_watch_plugins(void);

// End the program, saying who did not come back, unless the alarm is cancelled in time. May be
// called in a signal handler. The second: now, of what this thread does, with that exit status.
void hd_crash_expect_end(unsigned seconds);
void hd_crash_give_up(pthread_t thread, int status);

#endif
