// sm_bench.h - one SM on a test bench: a program of a few lines, warps, memory of fixed latency.
//
// No emulator and no PTX front end: the bench is an instruction source of its own that knows where
// a warp goes next and nothing else, so what is seen is the timing of the SM alone. Programs are
// written in PTX's spelling, because register names decide their banks; see sm_bench.c for the few
// operations there are. A guarded backward branch is a loop of `trips` rounds; a forward branch
// with the guard @%w1 is taken by warp 1 alone. Each warp has 4096 bytes of global memory of its
// own, which begin at an address that is the same modulo 4096 for all; [%r1+256] is a place in
// them.
#ifndef HEDDLE_TESTS_SM_BENCH_H
#define HEDDLE_TESTS_SM_BENCH_H

#include "heddle/config.h"
#include "sm/sm.h"

struct bench_issue { // one issued warp instruction
    uint64_t cycle;
    uint32_t pc;
    uint32_t warp;
};

struct bench_request { // one request that the SM has sent
    uint64_t cycle;
    struct hd_req req;
};

struct bench_setup {
    const char *text;        // the program
    const char *sched;       // "gto" if NULL
    const char *gpu;         // a machine file; gpus/debug-flatmem.ini if NULL
    const char *const *sets; // "section.key=value", NULL-terminated; may be NULL
    unsigned warps;          // of a block
    unsigned blocks;         // of the grid; 1 if 0
    unsigned trips;          // rounds of each loop; 1 if 0
    unsigned stride;         // bytes between the addresses of neighbouring lanes; 4 if 0
    unsigned seed;           // guarded forward branches are taken by chance
    bool cold;               // with an L1I that must be filled
    bool skip;               // sleep through cycles in which nothing can happen
};

struct bench;

struct bench *bench_new(const struct bench_setup *s);
void bench_free(struct bench *b);
void bench_cycle(struct bench *b);           // one cycle of the machine
uint64_t bench_run(struct bench *b);         // to the end of the grid; cycles, 0 if it never came
uint64_t bench_steps(const struct bench *b); // cycles in which the SM was stepped
struct hd_sm *bench_sm(struct bench *b);
const struct hd_sm_stats *bench_stats(struct bench *b);
const struct bench_issue *bench_log(const struct bench *b, size_t *n);
const struct bench_request *bench_requests(const struct bench *b, size_t *n);
// The request for the line at `offset` of the warp's memory, or of constants if `warp` is -1; fails
// the test if there is none.
const struct bench_request *bench_requested(const struct bench *b, int warp, unsigned offset);
unsigned bench_pc(const struct bench *b, const char *label);
// Cycle of the nth issue (from 0) of the instruction at `pc` by `warp`; fails the test if none.
uint64_t bench_issued(const struct bench *b, unsigned warp, unsigned pc, unsigned nth);
// Cycles that one round of the program's loop takes in the long run.
double bench_per_round(struct bench_setup s);

#endif
