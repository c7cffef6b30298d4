// simcache.h - the strings that describe caches in GPGPU-Sim's files.
//
//   [kind:]sets:line:ways,replace:write:allocate:write_allocate[:set],mshr:entries:merges,
//   queue[:results][,port]
//
// The kind, N or S (sectored), is of version 4, the set index function of July 2014 and later.
#ifndef HEDDLE_GPGPUSIM_SIMCACHE_H
#define HEDDLE_GPGPUSIM_SIMCACHE_H

#include <stdbool.h>
#include <stdint.h>

struct hd_simcache {
    char kind, replace, write, allocate, write_allocate, set, mshr; // kind and set: 0 if not given
    uint32_t sets, line, ways, entries, merges, queue;
    uint32_t results, port; // 0 if not given
};

// NULL, or what is wrong with the text.
const char *hd_simcache_read(const char *text, struct hd_simcache *out);

#endif
