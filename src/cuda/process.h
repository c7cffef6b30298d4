// process.h - the inside of the CUDA device, shared by the files of src/cuda and nobody else.
//
// There is one device and one machine in a process, guarded by one lock (cuda.c). Work is queued by
// stream and runs when somebody waits for it (queue.c), so the whole interface is sequential inside
// and its results do not depend on the timing of the host.
#ifndef HEDDLE_CUDA_PROCESS_H
#define HEDDLE_CUDA_PROCESS_H

#include "cuda/cuda.h"
#include "cuda/driver.h"
#include "cuda/handles.h"

#include <pthread.h>

#define HD_CUDA_DEVICE 0
#define HD_CUDA_MAX_THREADS 1024 // of a block, whatever the machine could hold
#define HD_CUDA_LIMITS 7
#define HD_CUDA_SHARED (48 << 10) // bytes of shared memory that a block may have unless it opts in
#define HD_GRAPH_USED CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT // each with its highest behind it
#define HD_GRAPH_RESERVED CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT
#define HD_CUDA_TEXTURE_ALIGN 256 // of a texture in memory, in bytes: what allocations have
#define HD_CUDA_PITCH_ALIGN 32    // of its rows
// Most texels of an array along a dimension, most layers, most texels of memory read as a texture.
#define HD_CUDA_LINE 131072
#define HD_CUDA_COLUMN 65536
#define HD_CUDA_VOLUME 16384
#define HD_CUDA_LAYERED 32768
#define HD_CUDA_LAYERS 2048
#define HD_CUDA_FACES 6 // of a cube map
#define HD_CUDA_CUBE_LAYERS 2046
#define HD_CUDA_LINEAR (1 << 27)
#define HD_CUDA_LINEAR_PITCH (2 << 20)

struct hd_cuda_op;

#define HD_STREAM_HINTS (CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY + 1)

struct hd_cuda_stream {
    CUstream handle;
    struct hd_cuda_context *context;
    unsigned id; // numbers streams from 0 in the order of creation, as in reports
    unsigned flags;
    int priority;
    CUlaunchAttributeValue hints[HD_STREAM_HINTS]; // attributes by number, as set
    bool legacy;                                   // the default stream that waits for all others
    unsigned thread;                               // of a per-thread default stream, else 0
    struct hd_cuda_capture *capture;               // that takes its operations, NULL: they happen
    CUgraphNode *tail_nodes; // of the capture: what its next operation depends on
    size_t n_tail_nodes, cap_tail_nodes;
    struct hd_cuda_stream *next_captured; // by the same capture
    struct hd_cuda_op *head, *tail;       // head: the first operation that has not ended
    struct hd_cuda_stream *next;          // of the context's per-thread streams
    // Its time, if copies take any (copytime.h): when what happened in it last ended; of a kernel
    // or graph under way (busy), when the machine's clock was looked at last.
    uint64_t until, since;
    bool busy;
};

struct hd_cuda_context {
    CUcontext handle;
    unsigned id, flags, uses; // uses: retained (primary) or attached so many times
    bool primary;
    CUfunc_cache cache;
    CUsharedconfig banks;
    size_t limits[HD_CUDA_LIMITS];
    struct hd_cuda_stream legacy;
    struct hd_cuda_stream *threads; // default streams of threads that asked for their own
    uint64_t blocking_until;        // the latest `until` of its blocking streams
};

struct hd_cuda_module {
    CUmodule handle;
    struct hd_cuda_context *context;
    struct hd_program *program;
    CUfunction *functions;   // by index into program->funcs; NULL: not asked for yet
    unsigned number, target; // counts modules from 1; 75 for .target sm_75
    CUlibrary library;       // that it is an instance of, or NULL
};

struct hd_cuda_function {
    CUfunction handle;
    struct hd_cuda_module *module;
    const struct hd_func *func;
    CUfunc_cache cache;
    int max_dynamic, carveout; // as set
    CUkernel kernel;           // of a library, or NULL
};

struct hd_cuda_event {
    CUevent handle;
    struct hd_cuda_context *context;
    unsigned flags;
    uint64_t recorded, done; // number of records asked for, executed
    uint64_t at;             // ticks of the last one executed
    uint64_t capture;        // the capture that its last record was in, 0: none
    CUgraphNode *nodes;      // that record's: what was before it
    size_t n_nodes;
};

enum hd_cuda_alloc_kind {
    HD_ALLOC_DEVICE,
    HD_ALLOC_MANAGED,
    HD_ALLOC_HOST,
    HD_ALLOC_SYMBOL,
    HD_ALLOC_MANAGED_SYMBOL,
    HD_ALLOC_ARRAY,
    HD_ALLOC_MAPPED // memory that was made apart from its addresses: it belongs to no context
};

struct hd_cuda_alloc { // by rising address
    uint64_t address, bytes;
    uint64_t id; // never used again, as the address may be
    enum hd_cuda_alloc_kind kind;
    unsigned flags;
    bool live, ending; // ending: its release is queued
    bool graph, held;  // of a graph's node; allocated by launches so far, and not freed
    struct hd_cuda_context *context;
    CUmemoryPool pool; // that it was taken from, or NULL
};

static inline bool hd_cuda_managed(const struct hd_cuda_alloc *a)
{
    return a->kind == HD_ALLOC_MANAGED || a->kind == HD_ALLOC_MANAGED_SYMBOL;
}

struct hd_cuda_array {
    CUarray handle;
    struct hd_cuda_context *context;
    CUDA_ARRAY3D_DESCRIPTOR shape;
    uint64_t address;
    size_t element, pitch, rows, slices; // bytes; height and depth as stored, at least 1
};

struct hd_cuda_texobject { // a texture or surface object as the program described it
    uint64_t handle;       // the emulator's; 0: destroyed
    struct hd_cuda_context *context;
    bool surface;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC sampling;
};

struct hd_cuda_texref { // a texture or surface reference of a module
    void *handle;       // CUtexref or CUsurfref
    struct hd_cuda_module *module;
    uint64_t address, object; // of its variable; the emulator's handle of what is bound, or 0
    bool surface, bound;
    bool changed; // since the variable was written
    CUarray_format format;
    unsigned channels;
    CUDA_RESOURCE_DESC resource; // if bound
    CUDA_TEXTURE_DESC sampling;
};

struct hd_cuda_physical;
struct hd_cuda_range {
    uint64_t address, bytes;
};
struct hd_cuda_mapping { // whole memory objects or parts at reserved addresses
    uint64_t address, bytes, offset;
    struct hd_cuda_physical *memory;
    CUmemAccess_flags access;
};

struct hd_cuda {
    bool initialized;
    uint64_t entries;                   // calls, from any thread
    const struct hd_job_options *given; // hd_cuda_use
    struct hd_arena *arena;             // until hd_cuda_end
    struct hd_job_options options;
    struct hd_config config;
    uint64_t total_memory;
    unsigned capability;                  // 75
    const char *json, *timeline, *record; // file names for results, NULL for none
    const char *annotate, *annotate_json; // of lines of PTX, for people and as JSON
    bool table;                           // print one on standard error
    bool names;                           // print GPGPU-Sim's names on standard output
    double since;                         // host seconds, of some clock, when the machine was made
    bool no_host;

    struct hd_handles *handles;
    struct hd_cuda_context *primary;
    unsigned primary_flags;
    unsigned n_contexts, next_context, next_stream;

    // The machine; made with the first context.
    struct hd_gpu *gpu;
    struct hd_arena *programs; // modules live as long as the machine
    unsigned n_machines, n_modules;
    enum hd_run_status status;
    CUresult broken; // the error that ended it, for every later call
    struct hd_cuda_alloc *allocs;
    size_t n_allocs, cap_allocs;
    uint64_t laps, next_alloc; // of the memory, when released ones were forgotten last; an id
    uint64_t live_bytes;
    uint64_t graph_memory[4];                 // by CUgraphMem_attribute
    CUmemoryPool standard_pool, current_pool; // NULL: none yet, the standard one
    struct hd_cuda_registered *registered;
    size_t n_registered, cap_registered;
    struct hd_cuda_texobject *texobjects;
    size_t n_texobjects, cap_texobjects;
    struct hd_cuda_range *reserved;
    size_t n_reserved, cap_reserved;
    struct hd_cuda_range *opened; // of other processes: address, and what is held for it
    size_t n_opened, cap_opened;
    struct hd_cuda_mapping *mappings;
    size_t n_mappings, cap_mappings;
    unsigned n_texrefs_changed;
};
extern struct hd_cuda hd_cuda;

// cuda.c. Every entry point begins with HD_CUDA_ENTER: it takes the lock for the length of the
// function and returns early if the device is not in the state the function needs.
enum hd_cuda_needs {
    HD_CUDA_NOTHING,
    HD_CUDA_INIT,    // cuInit was called
    HD_CUDA_CURRENT, // and the thread has a context, which may have failed
    HD_CUDA_WORKING, // and it has not failed
    HD_CUDA_SAFE,    // and no capture forbids what is not captured
};
CUresult hd_cuda_enter(enum hd_cuda_needs needs);
void hd_cuda_leave(const CUresult *entered);
#define HD_CUDA_ENTER(needs)                                                                       \
    __attribute__((cleanup(hd_cuda_leave))) const CUresult entered_ = hd_cuda_enter(needs);        \
    if (entered_ != CUDA_SUCCESS)                                                                  \
    return entered_

// Around a function of the program, with what the first returned: no lock is held, and the thread
// has the program's surroundings. What the function calls of this interface is refused.
unsigned hd_cuda_callback_begin(void);
void hd_cuda_callback_end(unsigned depth);

CUresult hd_cuda_machine(void);                   // make it if there is none
void hd_cuda_machine_end(void);                   // write its results, if asked for, and free it
CUresult hd_cuda_fail(enum hd_run_status status); // it ended badly: say why, remember the error
void hd_cuda_say(const struct hd_diag *d);        // to standard error
// Take the device and let it go, which obeys who asked for the end. False: not in time, because
// another thread holds it, hd_cuda_holder.
struct timespec;
bool hd_cuda_settle(const struct timespec *until);
pthread_t hd_cuda_holder(void);

// surround.c: rounding, exceptions and language of the calling thread are the program's. Inside
// they are those of a fresh process; a function of the program's own gets its own back.
void hd_surround_init(void);
void hd_surround_enter(void);
void hd_surround_leave(void);

// settings.c: the environment's choice of machine into hd_cuda.
bool hd_settings_read(struct hd_diag *d);

// context.c
struct hd_cuda_context *hd_context_current(void); // NULL: none, or it was destroyed
bool hd_context_gone(void);                       // it was destroyed
unsigned hd_context_thread(void);                 // a number of the calling thread, from 1
void hd_context_forget_all(void);

// streams.c: the stream a handle means for the calling thread, NULL if it is none.
struct hd_cuda_stream *hd_streams_get(CUstream handle);
void hd_streams_init(struct hd_cuda_stream *s, struct hd_cuda_context *c, unsigned flags);
// The default stream of a _ptsz entry point.
static inline CUstream hd_streams_ptsz(CUstream s)
{
    return s ? s : CU_STREAM_PER_THREAD;
}

// devmem.c
struct hd_cuda_alloc *hd_devmem_find(uint64_t address); // live and around it, else NULL
// 0: there is no room for it, or what had to run first has failed; hd_devmem_full() says which. May
// run what is queued.
uint64_t hd_devmem_new(uint64_t bytes, enum hd_cuda_alloc_kind kind, unsigned flags);
bool hd_devmem_room(uint64_t bytes); // the same question, without taking it
CUresult hd_devmem_full(void);
void hd_devmem_add(uint64_t address, uint64_t bytes, enum hd_cuda_alloc_kind kind);
void hd_devmem_release(uint64_t address);
void hd_devmem_drop(uint64_t address); // mapped memory: its addresses may come back
// Host address of device bytes; NULL unless all of them are live. Constants have device addresses
// too, from HD_CUDA_CONSTANTS on.
uint8_t *hd_devmem_at(uint64_t address, uint64_t bytes);
// The same, of memory that a graph's node will allocate too.
uint8_t *hd_devmem_planned(uint64_t address, uint64_t bytes);
// An address for a graph's node, without memory; its entry, with and without memory.
uint64_t hd_devmem_reserve(uint64_t bytes);
struct hd_cuda_alloc *hd_devmem_reserved(uint64_t address);
void hd_devmem_map(uint64_t address);
// Memory of the host as far as can be told: false for addresses of simulated memory that is not
// page-locked or managed, and live.
bool hd_devmem_on_host(const void *host, uint64_t bytes);
bool hd_devmem_pinned(const void *host, uint64_t bytes); // page-locked or registered
uint64_t hd_devmem_address(const void *host); // device address of page-locked memory, else 0
bool hd_devmem_unified(void);                 // simulated addresses are host addresses
bool hd_devmem_outsiders(void); // somebody may write to the program's own memory as a kernel runs
void hd_devmem_forget(const struct hd_cuda_context *c);
#define HD_CUDA_CONSTANTS (UINT64_C(1) << 56) // + module number << 32 + address in constant space

// registered.c: memory of the program's own that kernels may use.
struct hd_cuda_registered;
uint64_t hd_registered_address(const void *host); // of its mirror on the device, 0 if it has none
bool hd_registered_has(const void *host, uint64_t bytes); // all these bytes
bool hd_registered_flags(const void *host, unsigned *flags);
// False if the address is no mirror's; else where its bytes are for the host, NULL if too many.
bool hd_registered_at(uint64_t address, uint64_t bytes, uint8_t **at);
void hd_registered_mirror(bool to_device);                  // before and after a run
void hd_registered_forget(const struct hd_cuda_context *c); // NULL: all

// modules.c
uint8_t *hd_modules_constant_at(uint64_t address, uint64_t bytes);
void hd_modules_forget(const struct hd_cuda_context *c);
// The PTX text in an image of `n` bytes (SIZE_MAX if its size is what it says itself: text ends in
// NUL), to live as long as the machine.
CUresult hd_modules_text(const char *path, const void *image, size_t n, struct hd_text *out,
                         struct hd_diag *d);
// The same of any image, as all the texts that make its program.
CUresult hd_modules_texts(const char *path, const void *image, size_t n,
                          const struct hd_text **texts, uint32_t *n_texts, struct hd_diag *d);
unsigned hd_modules_target(const struct hd_text *texts); // 75 for .target sm_75
// A program as a module of a context; a program is that of one module.
CUresult hd_modules_make(struct hd_program *p, const struct hd_text *texts,
                         struct hd_cuda_context *c, CUmodule *out, struct hd_diag *d);
void hd_modules_unload(CUmodule module); // nothing, if it is gone
CUresult hd_modules_variable(const struct hd_cuda_module *m, const char *name, CUdeviceptr *address,
                             size_t *bytes);
// libraries.c: a library's kernel in a context, NULL if it is none
struct hd_cuda_function *hd_libraries_function(CUkernel kernel, struct hd_cuda_context *c);
// linking.c
void hd_linking_forget(const struct hd_cuda_context *c);
// supervised.c: the machine is to stop when heddle exec says so; a child has no such thread. A
// result could not be written. End the process as the signal that was asked for does, or return if
// the program handles it.
void hd_supervised_start(void);
void hd_supervised_forget(void);
unsigned hd_supervised_threads(void); // of this process: 1 while heddle exec watches it, else 0
bool hd_supervised_asked(void);
void hd_supervised_failed(void); // to write a result
void hd_supervised_used(void);   // the GPU: there are results to come
void hd_supervised_obey(void);
// progress.c: a host function was queued and has not happened; a child has no such thread
void hd_progress_watch(void);
void hd_progress_forget(void);
// virtual.c
void hd_virtual_forget(void); // all reserved addresses, all memory made
// ipc.c
void hd_ipc_forget(void);
// pools.c
void hd_pools_given_back(CUmemoryPool pool, uint64_t bytes);
void hd_pools_reset(void); // the device's choice, and the settings of its own
// arrays.c
size_t hd_arrays_format_bytes(CUarray_format f); // of a channel, 0 for an unknown format
// texobjects.c
void hd_texobjects_forget(const struct hd_cuda_context *c);
// A resource and how it is read, as the emulator has it; *t is zeros before. Without sampling it is
// for a surface.
struct hd_texture;
CUresult hd_texobjects_view(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *sampling,
                            struct hd_texture *t);
// texrefs.c
CUresult hd_texrefs_settle(const struct hd_cuda_module *m); // before a launch of its kernels
void hd_texrefs_forget(const struct hd_cuda_module *m);

// functions.c
struct hd_cuda_function *hd_functions_get(CUfunction handle);
// The same, but a library's kernel is that of this context, not of the current one.
struct hd_cuda_function *hd_functions_in(CUfunction handle, struct hd_cuda_context *c);
void hd_functions_init(struct hd_cuda_function *fn, struct hd_cuda_module *m,
                       const struct hd_func *f);
CUresult hd_functions_attribute(const struct hd_cuda_function *f, CUfunction_attribute attribute,
                                int *value);
CUresult hd_functions_set(struct hd_cuda_function *f, CUfunction_attribute attribute, int value);
CUresult hd_functions_param(const struct hd_func *f, size_t index, size_t *offset, size_t *bytes);
CUfunction hd_functions_of(struct hd_cuda_module *m, const struct hd_func *f);
struct hd_cuda_resources {  // what the options say instead of the program
    uint32_t regs;          // 0: nothing
    uint32_t shared_static; // UINT32_MAX: nothing
    const char *regs_source;
};
struct hd_cuda_resources hd_functions_resources(const struct hd_cuda_function *f);
void hd_functions_of_child(void *ctx, struct hd_launch_request *r); // hd_gpu_options.resources
// device.c: hd_emu_attributes
bool hd_device_attribute(void *ctx, int number, int *value);
// Of a block that has not opted in; a kernel that has may use all of an SM.
static inline uint32_t hd_device_shared(void)
{
    return hd_cuda.config.sm.shared_bytes < HD_CUDA_SHARED ? hd_cuda.config.sm.shared_bytes
                                                           : HD_CUDA_SHARED;
}
// launch.c: for hd_occupancy, of a grid that fills the machine
struct hd_launch hd_launch_shape(const struct hd_cuda_function *f, const uint32_t block[3],
                                 uint32_t dynamic);
struct hd_cuda_shape {
    uint32_t grid[3], block[3], dynamic;
};
// A launch of this shape, if the machine can run it, without parameters and stream.
CUresult hd_launch_prepare(const struct hd_cuda_function *f, const struct hd_cuda_shape *shape,
                           bool cooperative, struct hd_launch_request *out);
// The kernel's parameter block, of param_bytes bytes, from an array or packed already.
CUresult hd_launch_pack(const struct hd_func *f, void **params, void **extra, uint8_t *block);
#define HD_CUDA_WORKSPACE 256 // bytes of zeros where the blocks of a cooperative launch meet

// copy.c, fill.c: the bytes that are meant, checked. `planned`: memory counts that nodes of a graph
// will allocate. An empty copy or fill has no addresses.
struct hd_cuda_copy;
struct hd_cuda_fill;
CUresult hd_copy_resolve(const CUDA_MEMCPY3D *c, bool planned, struct hd_cuda_copy *out);
CUresult hd_fill_resolve(const CUDA_MEMSET_NODE_PARAMS *p, bool planned, struct hd_cuda_fill *out);

#endif
