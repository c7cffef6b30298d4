// copytime.h - simulated time of copies between host and device, if the user gives them a
// bandwidth.
//
// The machine's clock does not move for a copy: no kernel sees one, and cycles stay what they are.
// What moves is the time of the streams, and so that of the events recorded in them. A stream is
// later than the machine's clock by the copies that it has waited for; a kernel in it takes as long
// as it takes on the machine. Copies in the same direction follow each other, whatever streams they
// are in; those in different directions, and copies and kernels of different streams, overlap.
// Without a bandwidth the time of every stream is the machine's.
#ifndef HEDDLE_CUDA_CORE_COPYTIME_H
#define HEDDLE_CUDA_CORE_COPYTIME_H

#include <stdbool.h>
#include <stdint.h>

struct hd_cuda_stream;

enum hd_copy_way { HD_COPY_INSIDE, HD_COPY_TO_DEVICE, HD_COPY_TO_HOST }; // inside: takes no time

// From now on copies have a bandwidth in gigabytes (10^9 bytes) per second, on a machine with that
// core clock in MHz. With a bandwidth of 0 they take no time.
void hd_copytime_set(double bandwidth, double core);
bool hd_copytime_on(void);

// `machine` is the machine's clock. When the next operation of a stream begins:
uint64_t hd_copytime_now(struct hd_cuda_stream *s, uint64_t machine);
// A kernel or graph of the stream begins, and ends, now by the machine's clock.
void hd_copytime_begin(struct hd_cuda_stream *s, uint64_t machine);
void hd_copytime_end(struct hd_cuda_stream *s, uint64_t machine);
void hd_copytime_copy(struct hd_cuda_stream *s, uint64_t machine, enum hd_copy_way way,
                      uint64_t bytes);
// The stream waits for an event, or for a value that was written, of that time.
void hd_copytime_wait(struct hd_cuda_stream *s, uint64_t machine, uint64_t until);
// The host has waited for everything that has happened.
void hd_copytime_host_waited(void);
void hd_copytime_forget(void); // with the machine

#endif
