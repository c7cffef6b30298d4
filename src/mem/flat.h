// flat.h - memory of fixed latency at the end of the ports; see flat.c.
#ifndef HEDDLE_MEM_FLAT_H
#define HEDDLE_MEM_FLAT_H

#include "base/arena.h"
#include "heddle/config.h"
#include "heddle/port.h"

// The listener is copied; its ctx must outlive the memory.
struct hd_mem hd_flat_new(struct hd_arena *a, const struct hd_config *c,
                          const struct hd_mem_listener *listener);

#endif
