// threads.h - threads of ours in the program's process.
#ifndef HEDDLE_CUDA_CORE_THREADS_H
#define HEDDLE_CUDA_CORE_THREADS_H

#include <stdbool.h>

struct hd_thread {
    void (*run)(void);
};

// Start a thread that nobody joins. It takes no signals: they are the program's. False if the
// system gives no thread.
bool hd_threads_start(struct hd_thread *t);
// No thread of the program's exists but the calling one. False for a thread of ours.
bool hd_threads_alone(void);
void hd_threads_forked(void); // this process is a child and has none of our threads

#endif
