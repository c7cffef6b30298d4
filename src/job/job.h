// job.h - a job: kernels, buffers, launches and checks written down in a text file, so that a
// kernel can run without host code. What a test, a benchmark or a comparison needs.
//
//   ptx FILE...                                    module to load; several are linked
//   kernel NAME [regs N] [smem N]                  registers per thread, static shared bytes
//   buf NAME BYTES zero | file F | seq32 | rand32 SEED | randf32 SEED LO HI [guard N]
//   const SYMBOL BYTES file F                      initialise a .const or .global variable
//   launch KERNEL GX GY GZ BX BY BZ DYNSHARED ARG...
//       p:BUF[+off] i:INT u:UINT l:INT64 f:FLOAT d:DOUBLE h:HALF w:SHORT b:BYTE x:HEXBYTES
//   check BUF BYTES FILE exact | f32 TOL | f64 TOL compare after all launches
//   dump BUF BYTES FILE                            write after all launches, into --out DIR
//
// A `#` at the start of a word begins a comment. Lines may come in any order; buffers are allocated
// in theirs, from HD_GLOBAL_BASE, each start a multiple of 256. Input paths are seen from the job's
// own folder. `guard N` keeps at least N bytes after a buffer free of any other buffer, so that a
// kernel running off its last byte faults instead of reading its neighbour.
//
// This folder is the file format and nothing else: it reads job files, the modules and inputs that
// they name, and the .regs files beside modules. Running a job is run/jobrun.h.
//
// Invariants: a hd_job that hd_job_parse returned has no bad line; after hd_jobresolve_names, every
// name in it is found, every input is read, and every launch fits its kernel's parameters. Nothing
// here knows a machine, its limits or a result.
#ifndef HEDDLE_JOB_JOB_H
#define HEDDLE_JOB_JOB_H

#include "base/arena.h"
#include "base/diag.h"
#include "heddle/program.h"
#include "job/jobregs.h"

#define HD_JOB_BUF_MAX ((uint64_t)16 << 30) // bytes of one buffer

enum hd_job_fill { HD_FILL_ZERO, HD_FILL_FILE, HD_FILL_SEQ32, HD_FILL_RAND32, HD_FILL_RANDF32 };
enum hd_job_compare { HD_COMPARE_EXACT, HD_COMPARE_F32, HD_COMPARE_F64 };

struct hd_job_place { // of a word, for messages about it
    uint32_t line, column;
};

struct hd_job_file {  // an input file, read when the job is resolved
    const char *name; // as written
    const uint8_t *data;
    struct hd_job_place at;
};

struct hd_job_kernel {
    const char *name;
    const struct hd_func *func;
    uint32_t regs; // 0 if not given
    uint32_t smem; // UINT32_MAX if not given
    struct hd_job_place at;
};

struct hd_job_buf {
    const char *name;
    uint64_t bytes, guard, seed;
    float lo, hi;
    uint32_t fill; // enum hd_job_fill
    struct hd_job_file file;
    struct hd_job_place at;
};

struct hd_job_const {
    const char *symbol;
    uint64_t bytes;
    struct hd_job_file file;
    struct hd_job_place at;
};

struct hd_job_arg {
    const char *text; // as written
    char kind;        // the letter before the colon
    const char *buf_name;
    uint32_t buf;         // p: index into bufs
    uint64_t offset;      // p: from the buffer's start
    const uint8_t *bytes; // the others: the value as it lies in the parameter block
    uint32_t n_bytes;
    struct hd_job_place at;
};

struct hd_job_launch {
    const char *name;
    const struct hd_func *func;
    uint32_t grid[3], block[3], dynamic_shared;
    struct hd_job_arg *args;
    uint32_t n_args;
    struct hd_job_place at;
};

struct hd_job_check {
    const char *buf_name;
    uint32_t buf;
    uint32_t compare; // enum hd_job_compare
    uint64_t bytes;
    double tolerance;
    struct hd_job_file file;
    struct hd_job_place buf_at, bytes_at;
};

struct hd_job_dump {
    const char *buf_name;
    uint32_t buf;
    uint64_t bytes;
    const char *file;
    struct hd_job_place buf_at, bytes_at, file_at;
};

struct hd_job_module {
    const char *path;
    struct hd_job_place at;
};

struct hd_job {
    const char *path; // of the job file
    const char *name; // its last part without ".job"
    const char *text;
    size_t text_bytes;
    const char *ptx;               // path of the first module
    struct hd_job_module *modules; // that are linked into one program
    struct hd_program *program;
    struct hd_jobregs regs; // from the files beside the modules
    struct hd_job_kernel *kernels;
    struct hd_job_buf *bufs;
    struct hd_job_const *consts;
    struct hd_job_launch *launches;
    struct hd_job_check *checks;
    struct hd_job_dump *dumps;
    size_t n_modules, n_kernels, n_bufs, n_consts, n_launches, n_checks, n_dumps;
};

// Read the lines (job.c). Every bad one becomes a diagnostic; NULL if there was any. Names are
// checked against each other, not yet against files or the module. `text` must outlive the job.
struct hd_job *hd_job_parse(struct hd_arena *a, const char *path, const char *text, size_t bytes,
                            struct hd_diag *d);
// The same from a file; then reads its input files and its module, and checks kernels, symbols and
// arguments against it (jobresolve.h).
struct hd_job *hd_job_load(struct hd_arena *a, const char *path, struct hd_diag *d);

// Write `bytes` of a buffer's first contents, from byte `from` (a multiple of 4) on (jobdata.c).
void hd_jobdata_fill(const struct hd_job_buf *b, uint64_t from, uint8_t *to, uint64_t bytes);
// Value of an argument as parameter bytes. Returns NULL, or what was expected.
const char *hd_jobdata_argument(struct hd_arena *a, const char *text, struct hd_job_arg *out);
// A launch's parameter block, from the addresses given to the buffers.
const uint8_t *hd_jobdata_params(struct hd_arena *a, const struct hd_job_launch *l,
                                 const uint64_t *addresses);

#endif
