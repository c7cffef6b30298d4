// supervised.h - the thread of ours that ends the program when `heddle exec` requires it.
#ifndef HEDDLE_CUDA_CORE_SUPERVISED_H
#define HEDDLE_CUDA_CORE_SUPERVISED_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

struct hd_gpu_options;

// How that thread uses the device: settle takes and releases it, and returns false if it had to
// wait and `may_stop` said no; holder returns the thread that holds it.
struct hd_supervised_device {
    bool (*settle)(bool (*may_stop)(void));
    pthread_t (*holder)(void);
};
struct timespec hd_supervised_after(unsigned milliseconds); // the time of day then
// Starts the thread, and makes the machine stop (by its options) when heddle exec requires it.
void hd_supervised_start(const struct hd_supervised_device *d, struct hd_gpu_options *o);
void hd_supervised_forget(void); // this process is a child, which has no such thread
bool hd_supervised_asked(void);
bool hd_supervised_asked_by_now(void);  // reads the message itself; for a program that exits
void hd_supervised_writes(void);        // the machine has stopped, and results will be written
void hd_supervised_written(void);       // they are, or will not be
void hd_supervised_failed(void);        // a result could not be written
void hd_supervised_launch_failed(void); // a launch failed, and the reason was printed
void hd_supervised_used(void);          // the program uses the GPU, so there will be results
// Ends the process as the requested signal would; returns if the program handles the signal.
void hd_supervised_obey(void);

#endif
