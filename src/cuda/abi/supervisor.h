// supervisor.h - the protocol between `heddle exec` and the programs that it started.
//
// It uses two pipes that heddle created. HEDDLE_SUPERVISOR names them as PROCESS:STOP:REPORT, and
// they are opened through /proc, so that a program which closes all its descriptors does not lose
// them. The message in the first pipe is the number of bytes in it, and nobody reads them: no
// bytes, the number of the signal that is to end the program, or HD_SUPERVISOR_OVER if heddle has
// ended normally. If the pipe is closed without a message, heddle was killed. A byte in the second
// pipe reports one of the things below; the reason of a failure has been printed.
#ifndef HEDDLE_CUDA_ABI_SUPERVISOR_H
#define HEDDLE_CUDA_ABI_SUPERVISOR_H

#define HD_SUPERVISOR_TERMINAL 100 // added if the terminal has sent the signal to the program too
#define HD_SUPERVISOR_OVER 250     // programs that still run may continue

enum {                             // bytes of the second one
    HD_SUPERVISOR_USED = 'u',      // the program uses the GPU
    HD_SUPERVISOR_FAILED = 'f',    // a launch has failed
    HD_SUPERVISOR_UNWRITTEN = 'w', // a result could not be written
    HD_SUPERVISOR_ENDING = 'e',    // asked to end, a process stops its machine and writes results
    HD_SUPERVISOR_ENDED = 'd'      // it has done so, or given up
};

#endif
