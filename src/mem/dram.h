// dram.h - one DRAM channel: FR-FCFS scheduler, banks, and the data pipe.
//
// Times are absolute ticks of the DRAM clock, so a channel without work is not stepped and costs no
// time: see hd_dram_wakes. Invariants: a bank serves one request at a time; a request no longer
// counts as queued when its bank takes it; requests finish in the order of their last commands.
#ifndef HEDDLE_MEM_DRAM_H
#define HEDDLE_MEM_DRAM_H

#include "heddle/config.h"
#include "heddle/stats.h"
#include "hw/ring.h"

#define HD_DRAM_BANKS 64 // at most; a set of banks is a 64-bit mask

enum hd_dram_kind {
    HD_DRAM_FILL,      // read of a line, goes into the L2
    HD_DRAM_WRITE,     // write through the L2; its acknowledgement is passed on
    HD_DRAM_WRITEBACK, // a line that the L2 evicted; no answer
};

struct hd_dram_req {
    struct hd_req req; // of a fill: the address only
    uint32_t row;
    uint16_t bursts; // number of its column commands
    uint8_t bank;
    uint8_t kind; // enum hd_dram_kind
    uint8_t sub;  // sub-partition of the channel
};
HD_RING_OF(hd_dram_ring, struct hd_dram_req)

struct hd_dram_bank {
    struct hd_dram_req active; // what the bank is serving, if it is in `active` of the channel
    uint32_t row;              // open, or last open
    uint32_t serving;          // row chosen by the scheduler, while requests for it are queued
    bool open, fresh;          // fresh: no column command since the row was opened
    // First ticks at which the next command of that kind may go to this bank.
    uint64_t read_at, write_at, activate_at, precharge_at;
};

struct hd_dram_burst { // in the data pipe
    struct hd_dram_req req;
    uint64_t due; // pop of the pipe
    bool last;    // of its request
};
HD_RING_OF(hd_dram_pipe, struct hd_dram_burst)

struct hd_dram {
    const struct hd_config_dram *config;
    struct hd_mem_stats *stats;
    struct hd_dram_bank *banks;
    uint64_t active;            // banks that serve a request
    uint64_t waiting;           // banks with queued requests
    uint64_t chosen;            // banks whose `serving` row is set
    struct hd_dram_req *queued; // of all banks, oldest first
    uint32_t n_queued;
    struct hd_dram_req entering; // taken from the partition in the last tick
    bool has_entering;
    uint32_t first, last;          // first bank to be examined; highest bank
    uint8_t groups[HD_DRAM_BANKS]; // the bank group of a bank
    uint32_t tail;                 // length of the empty data pipe: read or write latency
    uint64_t column_at;            // any column command
    uint64_t activate_at;          // any bank
    uint64_t write_at, read_at;    // turn-around of the bus
    uint64_t group_column_at[HD_DRAM_BANKS], group_precharge_at[HD_DRAM_BANKS];
    struct hd_dram_pipe pipe;
    uint64_t pipe_stalls;     // ticks in which the pipe did not move
    struct hd_dram_ring done; // return queue
    uint64_t next_command;    // no command can go out before this tick
};

void hd_dram_init(struct hd_dram *d, struct hd_arena *a, const struct hd_config_dram *c,
                  struct hd_mem_stats *stats);
// Whether the scheduler accepts no more requests.
static inline bool hd_dram_full(const struct hd_dram *d)
{
    return d->n_queued >= d->config->queue;
}
// At most once per tick, after the step.
void hd_dram_push(struct hd_dram *d, const struct hd_dram_req *r);
// One tick of the command clock. Returns the write-back that was finished by it, NULL if none.
const struct hd_dram_req *hd_dram_step(struct hd_dram *d, uint64_t tick);
// The first tick after `tick` in which a step does anything; UINT64_MAX if the channel is empty.
uint64_t hd_dram_wakes(const struct hd_dram *d, uint64_t tick);

#endif
