// supervisor.h - what heddle exec and the programs that it started say to each other.
//
// Two pipes of heddle's, named in HEDDLE_SUPERVISOR as PROCESS:STOP:REPORT and opened through
// /proc, so that programs which close all descriptors do not lose them. How many bytes wait in the
// first one, which nobody reads, is the message: none, the number of the signal that is to end the
// program, or that heddle has ended as it should. Closed without a message, it says that heddle was
// killed. A byte in the second one says that the program has used the GPU, or that a result could
// not be written, after the reason was printed.
#ifndef HEDDLE_CUDA_ABI_SUPERVISOR_H
#define HEDDLE_CUDA_ABI_SUPERVISOR_H

#define HD_SUPERVISOR_TERMINAL 100 // and more: the terminal has sent the signal to the program too
#define HD_SUPERVISOR_OVER 250     // who still runs may go on

enum { HD_SUPERVISOR_UNWRITTEN = 'w', HD_SUPERVISOR_USED = 'u' }; // bytes of the second one

#endif
