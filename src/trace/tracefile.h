// tracefile.h - a trace as a file: a description of a run, and the streams of its warps in chunks.
//
//   "hdtrace\n" version  chunk chunk ... summary index  tail
//
// Everything between the first 16 bytes and the tail is zstd frames with checksums. A chunk
// contains pieces of warps of one block: the rest of all of them, written when the block ends, or
// one warp's earlier piece, written when it became long. So neither side holds more than a piece of
// each warp that runs. Chunks are in the order in which they were finished; the index, 32 bytes of
// memory each, has their places. The tail has the places of summary and index; a file without it
// was not finished.
//
// A reader trusts nothing: every number is checked before it is used.
#ifndef HEDDLE_TRACE_TRACEFILE_H
#define HEDDLE_TRACE_TRACEFILE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "heddle/isrc.h"
#include "trace/pack.h"

#define HD_TRACEFILE_VERSION 2               // version 1 has no copies; it can be read
#define HD_TRACEFILE_PIECE ((size_t)1 << 15) // the most bytes of a warp's column that are held back
#define HD_TRACEFILE_REST UINT32_MAX         // hd_tracefile_chunk.warp: all that have a piece left

struct hd_tracefile_text {
    const char *path;
    const uint8_t *bytes; // ends in NUL, not counted
    size_t n;
};
struct hd_tracefile_program { // modules that were linked into one program
    struct hd_tracefile_text *texts;
    uint32_t n_texts;
};

struct hd_tracefile_launch {
    uint32_t program;   // index
    const char *kernel; // its name
    uint32_t grid[3], block[3], dynamic_shared, stream;
    uint32_t regs, shared_static;
    const char *regs_source;
    const uint8_t *params;
    uint32_t param_bytes;
    // The machine ran `run` times before, until nothing was left; in this run it was submitted when
    // `after` of the run's launches had ended.
    uint32_t run, after;
};

// The host copied something to memory, when `launch` kernels had been launched; run and after are
// as above.
struct hd_tracefile_copy {
    uint64_t addr, bytes;
    uint32_t launch, run, after;
};

struct hd_tracefile_summary {
    const char *version; // of the heddle that recorded
    const char *workload, *size;
    uint64_t seed;
    bool checked, verified; // the results of the recorded run
    bool functional;        // recorded without timing
    const char *machine;    // the options that decide cycles, "key=value" lines
    uint32_t path_order;
    const char *reason; // why it cannot be replayed on another machine; "": it can
    struct hd_tracefile_program *programs;
    struct hd_tracefile_launch *launches;
    struct hd_tracefile_copy *copies;
    bool tells_copies; // false after reading version 1
    size_t n_programs, n_launches, n_copies, cap_programs, cap_launches, cap_copies;
};

// --- writing (tracewrite.c)

struct hd_tracewrite;
// The file appears under its name when it is finished. False with a diagnostic.
struct hd_tracewrite *hd_tracewrite_open(struct hd_arena *a, const char *path, struct hd_diag *d);
struct hd_tracewrite_piece {
    uint32_t warp;
    const struct hd_pack *way, *where;
};
// Writes a chunk of these pieces; warp: their warp, or HD_TRACEFILE_REST.
void hd_tracewrite_chunk(struct hd_tracewrite *w, uint32_t launch, uint32_t block, uint32_t warp,
                         const struct hd_tracewrite_piece *pieces, uint32_t n);
bool hd_tracewrite_finish(struct hd_tracewrite *w, const struct hd_tracefile_summary *s,
                          struct hd_diag *d);
void hd_tracewrite_drop(struct hd_tracewrite *w); // leave no file; NULL or finished: nothing

// --- reading (traceread.c)

struct hd_tracefile_chunk {
    uint64_t at;
    uint32_t bytes, raw; // in the file, unpacked
    uint32_t launch, block, warp, order;
};

struct hd_traceread {
    const char *path;
    int file;
    struct hd_tracefile_summary summary;
    struct hd_tracefile_chunk *chunks; // by launch, block, and order of writing
    size_t n_chunks;
    size_t *blocks; // per launch: first chunk; n_launches + 1
    void *unpacker; // zstd's
    uint8_t *packed;
    size_t packed_cap;
};

// Whether the file begins as a trace does. False if it cannot be read.
bool hd_traceread_is(const char *path);
// NULL with a diagnostic if it is no trace or a damaged one. The caller closes it.
struct hd_traceread *hd_traceread_open(struct hd_arena *a, const char *path, struct hd_diag *d);
void hd_traceread_close(struct hd_traceread *t); // NULL is allowed

// The chunks [*first, *last) of a block; none if the trace does not have it.
void hd_traceread_block(const struct hd_traceread *t, uint32_t launch, uint32_t block,
                        size_t *first, size_t *last);
// Unpack chunk i into `to`, which has room for its raw bytes. False with a sentence in err.
bool hd_traceread_chunk(struct hd_traceread *t, struct hd_arena *a, size_t i, uint8_t *to,
                        char err[HD_FILE_WHY]);

struct hd_traceread_piece {
    uint32_t warp;
    const uint8_t *way, *where;
    size_t way_bytes, where_bytes;
};
// The pieces in an unpacked chunk, at most `most`, of warps below `warps`. Returns their number,
// UINT32_MAX if the bytes are invalid.
uint32_t hd_traceread_pieces(const struct hd_tracefile_chunk *c, const uint8_t *bytes,
                             struct hd_traceread_piece *out, uint32_t most, uint32_t warps);

#endif
