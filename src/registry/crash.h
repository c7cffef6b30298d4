// crash.h - messages when the program, or a plug-in in it, crashed, called exit() or does not
// return.
#ifndef HEDDLE_REGISTRY_CRASH_H
#define HEDDLE_REGISTRY_CRASH_H

#include <pthread.h>
#include <stddef.h>

// In heddle itself: reports crashes, and calls of exit() in the middle of a run.
void hd_crash_watch(void);
void hd_crash_over(void); // the program ends normally
// Gives the calling thread a second stack, on which its crash is reported if the first one is full.
// It must exist as long as the thread.
void hd_crash_second_stack(void *stack, size_t bytes);
// In another program: reports crashes of plug-ins only. Other crashes happen as they would without
// heddle.
void hd_crash_watch_plugins(void);

// Ends the program, and names the plug-in that did not return, unless the alarm is cancelled in
// time. May be called in a signal handler. The second function does it now, for this thread, with
// this exit status.
void hd_crash_expect_end(unsigned seconds);
void hd_crash_give_up(pthread_t thread, int status);

#endif
