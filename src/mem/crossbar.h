// crossbar.h - SMs and memory partitions on the two sides of a crossbar; see crossbar.c.
#ifndef HEDDLE_MEM_CROSSBAR_H
#define HEDDLE_MEM_CROSSBAR_H

#include "base/arena.h"
#include "heddle/config.h"
#include "heddle/port.h"

// The listener is copied; its ctx must outlive the memory. The configuration is kept by reference.
struct hd_mem hd_crossbar_new(struct hd_arena *a, const struct hd_config *c,
                              const struct hd_mem_listener *listener);

#endif
