// supervised.h - the thread of ours that hears when heddle exec wants the program to end.
#ifndef HEDDLE_CUDA_CORE_SUPERVISED_H
#define HEDDLE_CUDA_CORE_SUPERVISED_H

#include <pthread.h>
#include <stdbool.h>

struct hd_gpu_options;
struct timespec;

// What the thread that waits for heddle's word does with the device: take it and let it go; see who
// holds it.
struct hd_supervised_device {
    bool (*settle)(const struct timespec *until);
    pthread_t (*holder)(void);
};
// The machine is to stop when heddle exec says so, by its options.
void hd_supervised_start(const struct hd_supervised_device *d, struct hd_gpu_options *o);
void hd_supervised_forget(void); // this process is a child, which has no such thread
bool hd_supervised_asked(void);
bool hd_supervised_asked_by_now(void); // looks for the message itself; for a program that leaves
void hd_supervised_failed(void);       // a result could not be written
void hd_supervised_used(void);         // the program uses the GPU: there are results to come
// End the process as the signal that was asked for does, or return if the program handles it.
void hd_supervised_obey(void);

#endif
