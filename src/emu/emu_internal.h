// emu_internal.h - the state of the emulator, and what its files offer each other. Only files of
// src/emu include it; other folders use emu.h, and src/devrt uses callout.h.
//
// Ownership. `struct hd_emu` is the machine: loaded modules, texture objects, limits, options.
// `struct hd_emu_sm` is one SM: the SIMT stack of every warp slot, warps, blocks, their registers
// and memory, and what waits for the end of the cycle (stores, bulk copies, calls of the device's
// runtime, new absences). An SM that executes changes only its own hd_emu_sm and reads the rest, so
// several SMs may execute in any order. hd_isrc_ops.commit, which is called for one SM after the
// other, changes what they share. Memory needed during execution comes from the SM's own arena
// (hd_emu_arena), also the storage of a block, which is allocated when the block begins.
//
// Invariants.
//  1. A warp slot is empty (PC HD_PC_NONE) or belongs to the block hd_emu_warp.tb, whose slot is
//     occupied. The PC and the active lanes are columns of the SIMT stack (simt.h), which is the
//     only place where they are kept.
//  2. hd_emu_warp.regs are the rows and predicates of the present frame. In a kernel without calls
//     this is always the kernel's; otherwise the stack calls hd_call_reframe when it changes.
//  3. An instruction that faults has changed nothing but hd_emu_sm.trap. So addresses are checked
//     before anything is read or written, and a function that returns false has set the trap
//     (trap.c) and has not moved the stack on.
//  4. A function that executes an instruction and returns true has moved the stack on, or its
//     caller does so; the comment at its declaration says which.
//  5. With timing, stores to global memory go into the log, loads of the same SM search it, and
//     `pending_stores` is set while the log or anything else waits for commit. In a run without
//     timing (`direct`) everything takes effect at once and nothing ever waits.
//  6. `progress` is set whenever memory, a barrier or the device's runtime has changed, or the
//     program has read a clock. If it is not set, a warp in an earlier state repeats itself.
//  7. A register of a lane that has ended has no meaning; its row may be overwritten.
//
// Order of the files, each uses only those before it: simt, lanes, access, whole, memory, snapshot,
// trap, specials, touched, address and loadstore, paths, then one file per family of instructions
// (atomic, value, warp, tensor, texture, copies, arrive, call). Then come parked_block and watch,
// emu (starts and ends blocks), exec (one instruction; hd_exec_ops is the top), stretch (a warp's
// turn without timing), run (blocks without timing) and rounds (a launch without timing).
#ifndef HEDDLE_EMU_EMU_INTERNAL_H
#define HEDDLE_EMU_EMU_INTERNAL_H

#include "emu/access.h"
#include "emu/callout.h"
#include "emu/emu.h"
#include "emu/lanes.h"
#include "emu/paths.h"
#include "emu/simt.h"
#include "emu/texture.h"
#include "emu/whole.h"
#include "hw/barrier.h"

struct hd_emu_module { // a loaded program's constant space
    const struct hd_program *program;
    uint8_t *consts;
    uint64_t const_bytes;
    uint16_t *forms; // by PC, for runs without timing: HD_FORM_*; one more than instructions
};
// What is known of an instruction in advance. Of an operation on lanes: how many of them follow
// each other from here on. One more bit is set of all others. A load or store whose elements do not
// fill the register, or which is of vectors or in local memory, has no shift: hd_whole_ops is not
// for it.
#define HD_FORM_LANES 0x7fff
#define HD_FORM_OTHER 0x8000
#define HD_FORM_SHIFT 0x03 // log2 of its bytes, 2 or 3; 0: unknown
#define HD_FORM_LOAD 0x04
#define HD_FORM_STORE 0x08   // to a space that can be written
#define HD_FORM_OFFCHIP 0x10 // it has HD_DEP_OFFCHIP
#define HD_FORM_GLOBAL 0x20  // its space is global or generic
#define HD_FORM_BRANCH 0x40
#define HD_FORM_REPEATS 0x80 // it may be an attempt that a thread repeats (emu/paths.h)

// bar.red: for each barrier, the result of the lanes that have arrived so far; for each warp slot
// of the SM, which registers wait for it.
struct hd_emu_reduce {
    uint32_t trues, falses;
};
struct hd_emu_waiting {
    uint32_t lanes; // 0 if none waits
    uint32_t frame; // of the registers
    uint16_t op;
    uint8_t barrier;
    int32_t dst;
};

// The storage that a kernel needs. Warps of different kernels may be on an SM at the same time.
struct hd_emu_needs {
    size_t rows, preds, local, stack; // of one warp: words, words, bytes, bytes
    size_t shared;                    // of a block: bytes
    uint32_t stack_limit;             // bytes a thread may use for calls; 0: there are no calls
};
// The storage that a warp slot has, and a block slot. It grows when a block begins that needs more.
struct hd_emu_room {
    uint8_t *local, *stack;        // stack: frames of calls
    struct hd_simt_entry *paths;   // HD_SIMT_DEPTH_APART of them, once a kernel needs them
    size_t have_local, have_stack; // bytes
};
struct hd_emu_block_room {
    uint32_t *rows, *preds; // of all its warps
    uint8_t *shared;
    size_t have_rows, have_preds, have_shared; // bytes
};

struct hd_emu_tb { // by block slot
    const struct hd_launch *launch;
    struct hd_emu_needs needs;
    uint32_t index[3], linear;
    uint8_t first_warp, n_warps;
    uint32_t *rows,
        *preds; // of its first warp; the others' follow, needs.rows and .preds words each
    uint8_t *shared;
    uint64_t shared_bytes;
    const uint8_t *consts;
    uint64_t const_bytes;
    // Spaces whose bytes are the same for all threads of the block; the others are empty.
    struct hd_whole_window windows[HD_N_SPACES];
    struct hd_barriers barriers; // the same arrivals as the SM counts
    struct hd_emu_reduce reduce[HD_BARRIERS];
};

// One call that has not returned, of the lanes that made it; frame 0 is the kernel itself. A callee
// has its own rows and predicates, above those of all frames, and local memory above its caller's.
struct hd_emu_frame {
    const struct hd_func *func;
    const struct hd_call *call; // the call; NULL: the kernel
    uint32_t *rows, *preds;
    uint32_t row, pred;      // the places of these two in the warp's stack
    uint32_t number, parent; // its index in hd_emu_warp.frames, and its caller's
    uint32_t lanes;
    uint64_t local; // the start of its local memory, the same offset in every thread
    uint32_t used;  // of the stack, up to and with this frame (hd_func_frame)
};

struct hd_emu_warp {             // by warp slot
    struct hd_lane_regs regs;    // of the present frame
    uint64_t frame_local;        // its hd_emu_frame.local
    struct hd_emu_frame *frames; // NULL: the kernel has no calls
    const struct hd_insn *insns;
    const struct hd_program *program;
    const struct hd_emu_tb *tb;
    uint8_t *local; // 32 consecutive threads, local_bytes each
    uint64_t local_bytes;
    const uint16_t *forms; // hd_emu_module.forms
    uint32_t n_insns;      // of the program; 0 while the warp is watched, which makes exec check
    uint32_t index;        // of the warp in its block
    bool apart;            // its lanes are scheduled independently (paths.h)
};

// The global atomic of a warp between exec and finish: operands as they were at exec.
struct hd_emu_atomic {
    uint32_t lanes; // 0: none pending
    uint32_t frame; // of `dst`
    uint32_t pc;    // if it may be an attempt that is repeated (emu/paths.h); else HD_PC_NONE
    uint16_t op;
    uint8_t what; // enum hd_atom_op
    bool only_adds;
    int32_t dst;
    uint8_t *at[HD_LANES];
    uint64_t b[HD_LANES], c[HD_LANES], old[HD_LANES];
};

// A plain store to global memory, as logged in the cycle of its issue. The lanes' values are
// consecutive, `bytes` each.
struct hd_emu_store {
    uint32_t lanes, bytes;
    unsigned pattern;    // enum hd_access_pattern
    uint8_t *low, *high; // no byte outside [low, high) is written
    uint8_t *at[HD_LANES];
    uint8_t value[HD_LANES * 16];
};
// One SM issues at most a few stores in a cycle; a warp at most two instructions.
#define HD_EMU_STORES (2 * HD_MAX_WARPS)

// Bytes that a bulk copy writes to global memory at the end of the cycle.
struct hd_emu_bulk {
    uint8_t *to, *from;
    uint32_t bytes;
};
// What the completion of an asynchronous copy does to an mbarrier.
struct hd_emu_completion {
    uint32_t at; // of the mbarrier in its block's shared memory
    uint32_t arrivals, bytes;
    uint8_t tb;    // slot
    uint16_t next; // plus one: the next one done with it, 0 if none; or the free list
};
#define HD_EMU_COMPLETIONS 256
// A wait for the phase of an mbarrier that is still open.
struct hd_emu_try {
    const struct hd_insn *in;
    uint32_t lanes; // 0 means no wait
    uint32_t frame; // of the predicate
    uint32_t at[HD_LANES];
};

#define HD_PARKED_SIZES 40 // size classes of saved blocks

struct hd_emu_sm {
    struct hd_simt simt;
    const hd_lane_fn *lanes;
    const struct hd_access_ops *access;
    const struct hd_whole_ops *whole;
    struct hd_emu_warp warps[HD_MAX_WARPS];
    struct hd_emu_tb tbs[HD_MAX_TBS];
    struct hd_memory_view global;
    struct hd_memory_stretch stretch; // of global memory, where recent accesses were
    struct hd_whole_window window;    // the same
    struct hd_touched *touched;       // in a round: notes of accesses to global memory, or NULL
    uint8_t pending_stores;           // not 0: the log has entries
    uint8_t progress;                 // hd_isrc.progress
    bool direct;                      // no log: stores reach memory at once (runner without timing)
    unsigned n_stores;
    struct hd_emu_store *stores;   // HD_EMU_STORES
    struct hd_emu_atomic *atomics; // by warp slot
    struct hd_emu_waiting waiting[HD_MAX_WARPS];
    struct hd_paths_warp paths[HD_MAX_WARPS];
    struct hd_emu_try tries[HD_MAX_WARPS];
    struct hd_emu_completion completions[HD_EMU_COMPLETIONS];
    uint16_t free_completion; // HD_EMU_COMPLETIONS: none is free
    bool copies_ready;        // tries and what follows it are unused since they were prepared
    unsigned n_bulks;
    struct hd_emu_bulk bulks[HD_EMU_STORES];
    uint8_t matrix[1024]; // what a matrix operation moved last, 32 pieces
    struct hd_trap trap;
    struct hd_emu *emu;
    struct hd_arena *arena;              // hd_emu_arena: for what grows while the SM executes
    bool calls_deferred;                 // hd_callout_defer
    struct hd_emu_absence *new_absences; // of this cycle, to be merged into hd_emu.absences
    size_t n_new_absences, cap_new_absences;
    struct hd_emu_parked *free_parked[HD_PARKED_SIZES]; // parked_block.c: room, by size
    uint64_t cycle;                                     // of the present instruction, for %clock
    struct hd_watch *watch;                             // watch.h; NULL until the first check
    bool watching;                                      // with timing: before each instruction

    bool prepared; // hd_emu_prepare_sm
    struct hd_emu_room rooms[HD_MAX_WARPS];
    struct hd_emu_block_room block_rooms[HD_MAX_TBS];
};

struct hd_emu {
    struct hd_arena *arena;
    struct hd_memory *memory;
    struct hd_emu_config config;
    uint32_t stack_limit; // hd_emu_limit_stack
    struct hd_emu_sm *sms;
    struct hd_emu_module *modules;
    size_t n_modules, modules_cap;
    uint64_t variables;          // end of the places of loaded modules' .global variables
    struct hd_texture *textures; // channels is 0 in a free one
    size_t n_textures, texture_cap;
    const struct hd_isrc *through;    // hd_emu_through
    bool (*outsiders)(void);          // hd_emu_outsiders
    struct hd_emu_helpers helpers;    // hd_emu_help
    uint64_t executed;                // warp instructions, by hd_emu_run
    struct hd_rounds *rounds;         // rounds.c; NULL until the first one
    struct hd_touched_round *touched; // their notes
    bool strict;                      // hd_emu_strict
    struct hd_emu_absence *absences;
    size_t n_absences, cap_absences;
    const struct hd_callout_ops *runtime; // NULL: programs cannot call the device's runtime
    void *runtime_ctx;
};

// For storage that an SM needs while it executes; other SMs may allocate at the same time.
static inline struct hd_arena *hd_emu_arena(struct hd_emu_sm *sm)
{
    if (!sm->arena)
        sm->arena = hd_arena_new();
    return sm->arena;
}

// exec.c
extern const struct hd_isrc_ops hd_exec_ops;

// stretch.c. A turn is what exec would do, for up to `most` instructions as long as they are
// arithmetic on lanes or branches, which no other warp can see; and, if `access` is set, for one
// simple load or store after them. Warps at the same place execute what no other warp can see
// together.
struct hd_stretch {
    uint32_t most;
    bool access;
    uint64_t warp_insts; // what was executed is added to this and the next two
    uint64_t epoch;      // is raised when memory changes
    uint64_t thread_insts;
    uint64_t progress; // warp_insts when memory last changed
    uint64_t long_insts;
    uint64_t progress_long; // long_insts when memory last changed
    // The warps take one turn after the other as long as warp_insts is not more than `until`, and
    // not more than `watched`. When memory changes, `watched` becomes warp_insts + unwatched.
    uint64_t until, watched, unwatched;
    // Of each warp that needs no other instruction, the PC of the load or store; if there was none,
    // of its first instruction.
    uint32_t *last_pc;
    // Of each warp, the instructions of the present turn that it has executed and that are not
    // counted yet, because the turn goes on. 0 before the first turn of a block.
    uint32_t *ahead;
};
// Turns of these warps of one block, at least one, in this order and again. The first warp whose
// turn must go on with an instruction that is none of these, HD_NONE if there is none.
int hd_stretch_turns(struct hd_emu_sm *sm, uint64_t warps, struct hd_stretch *t);
// Whether the warp's next instruction is of another kind than all of these.
static inline bool hd_stretch_is_over(const struct hd_emu_sm *sm, unsigned warp)
{
    const unsigned form = sm->warps[warp].forms[sm->simt.pc[warp]];

    return form & HD_FORM_OTHER && !(form & (HD_FORM_BRANCH | HD_FORM_LOAD | HD_FORM_STORE));
}
// hd_emu_module.forms of a program.
uint16_t *hd_stretch_forms(struct hd_arena *a, const struct hd_program *p, const hd_lane_fn *table);

#define HD_LOOK (UINT64_C(1) << 20) // instructions between two calls of patience->look

// run.c. Runs blocks [first, until) of a launch, in order; others only if one of these waits for
// another block. All that begin also end, or the run ends. Returns the first block that has not
// begun. Counts are added to *out.
uint64_t hd_run_in_order(struct hd_emu *e, const struct hd_launch *l, uint64_t first,
                         uint64_t until, const struct hd_emu_patience *patience,
                         struct hd_emu_result *out);
// Runs blocks [first, end) one after the other on an SM of which no other thread makes use. One
// that would give way to others in order ends the run, or does not give way if the blocks run
// `apart`.
enum hd_beside {
    HD_BESIDE_DONE,
    // These end before all blocks have begun, and what they have done is to be undone.
    HD_BESIDE_GIVES_WAY, // one would give way
    HD_BESIDE_MET,       // blocks have met, as far as the notes tell (rounds.c)
    HD_BESIDE_LOST, // one waits, faults, needs what HD_NOT_BESIDE names, or patience->look says no
};
enum hd_beside hd_run_beside(struct hd_emu *e, unsigned sm, const struct hd_launch *l,
                             uint64_t first, uint64_t end, bool apart,
                             const struct hd_emu_patience *patience, struct hd_emu_result *out);

// trap.c. Describes a fault at this warp's instruction. `lane` is the lowest one that faults.
void hd_trap_set(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out, unsigned kind,
                 unsigned lane);
// The same at a PC, without effects to mark.
void hd_trap_describe(struct hd_emu_sm *sm, unsigned warp, uint32_t pc, unsigned kind,
                      unsigned lane);
// The same for the lowest lane of out->exec_mask, with a sentence of detail; returns false.
bool hd_trap_refuse(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out, unsigned kind,
                    const char *detail);

// call.c: frames of calls. hd_call_needs computes the stack of a kernel with calls; hd_call_room
// gives it to a warp slot, without contents; hd_call_start sets a warp's first frame. The two
// operations move the stack on; false after a trap.
void hd_call_needs(const struct hd_emu *e, const struct hd_func *kernel, struct hd_emu_needs *n);
void hd_call_room(struct hd_emu_sm *sm, unsigned warp, const struct hd_func *kernel,
                  const struct hd_emu_needs *n);
void hd_call_free(struct hd_emu_sm *sm);
void hd_call_start(struct hd_emu_sm *sm, unsigned warp);
struct hd_snapshot;
void hd_call_snapshot(struct hd_emu_sm *sm, unsigned warp, struct hd_snapshot *k); // its stack
bool hd_call_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                  struct hd_effects *out);
void hd_call_return(struct hd_emu_sm *sm, unsigned warp, uint32_t lanes);
void hd_call_reframe(struct hd_simt *s, unsigned warp); // hd_simt.reframe, of a hd_emu_sm
// The registers of one of the warp's frames.
struct hd_lane_regs hd_call_regs(const struct hd_emu_warp *w, uint32_t frame);
// A scalar argument or result of a call, in the present frame: all lanes' values.
void hd_call_read(const struct hd_emu_warp *w, const struct hd_arg *arg, uint32_t lanes,
                  uint64_t v[HD_LANES]);
void hd_call_write(const struct hd_emu_warp *w, const struct hd_arg *arg, uint32_t lanes,
                   const uint64_t v[HD_LANES]);

// A fault of what can only be done in the order of the blocks, in a round whose members run side by
// side (rounds.c): the round is undone, so nobody reads this.
#define HD_NOT_BESIDE "this is not possible beside other blocks"

// value.c: special registers that change, vectors, the thread's stack; *done is false for any other
// operation. Branches through a table. False after a trap.
bool hd_value_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                   struct hd_effects *out);
bool hd_value_switch(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                     struct hd_effects *out);

// parked_block.c: saves a block when it leaves its SM, and loads it when it returns.
struct hd_parked_block *hd_parked_block_save(struct hd_emu_sm *sm, struct hd_emu_tb *t);
struct hd_parked_block *hd_parked_block_load(struct hd_emu_sm *sm, struct hd_emu_tb *t,
                                             const struct hd_parked_block *b);

// specials.c: values of the special registers that do not change during a frame's life.
void hd_specials_fill(const struct hd_emu_sm *sm, unsigned warp, const struct hd_func *f);

// emu.c
void hd_emu_tb_start(void *self, const struct hd_tb *tb);
void hd_emu_tb_end(void *self, unsigned slot);
void hd_emu_tb_leave(void *self, unsigned slot);
void hd_emu_prepare_sm(struct hd_emu_sm *sm); // which has no block

// The host addresses of a memory instruction's lanes. Lanes that take no part have the address of
// one that does.
struct hd_emu_access {
    uint8_t *at[HD_LANES];
    uint32_t global;  // lanes that go to global memory
    unsigned pattern; // enum hd_access_pattern
};

// address.c: fills in addresses, space and width in `out`, and the host addresses. False after a
// trap.
bool hd_address_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out, bool write, struct hd_emu_access *x);
// Whether the instruction adds integers to memory and returns nothing.
bool hd_address_only_adds(const struct hd_insn *in);

void hd_address_windows(struct hd_emu_tb *t); // of a block that begins

// For runs without timing: the host address of the lowest of the accesses of these lanes (at least
// one), and the others' offsets from it. NULL if hd_address_lanes is needed, because one of them
// faults or they are in different places.
uint8_t *hd_address_near(struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                         const struct hd_insn *in, uint32_t lanes, uint32_t bytes,
                         struct hd_access_near *n);

// Host address of `bytes` bytes that a thread reads at a generic address, NULL if it may not.
const uint8_t *hd_address_read(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                               uint64_t address, uint64_t bytes);

// The same to write there; at once, not through the log.
uint8_t *hd_address_write(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                          uint64_t address, uint64_t bytes);
// The host address of `bytes` bytes of one lane at an address in global or shared memory, or NULL
// after a trap.
struct hd_emu_piece_at {
    uint8_t space;
    uint64_t address;
    uint32_t bytes, align;
    bool write;
};
uint8_t *hd_address_piece(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out,
                          unsigned lane, const struct hd_emu_piece_at *at);
// The two steps of hd_address_lanes for callers that compute addresses: first those in the
// registers, for the lanes of out->exec_mask; then pieces of `bytes` bytes at out->addr, multiples
// of `align`, at most 16, in global or shared memory. The caller sets out->bytes and out->vec.
void hd_address_read_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                           struct hd_effects *out, unsigned bytes);
bool hd_address_given(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out, bool write, unsigned align, unsigned bytes,
                      struct hd_emu_access *x);

// loadstore.c, atomic.c: false after a trap, nothing changed then.
bool hd_loads_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                   struct hd_effects *out);
bool hd_stores_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out);
void hd_stores_commit(struct hd_emu_sm *sm);
void hd_stored_value(const void *self, unsigned warp, uint32_t pc, unsigned lane, uint8_t to[32]);
bool hd_atomic_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out);
// hd_emu_module.forms of an instruction; HD_FORM_OTHER alone if it is no load or store.
uint16_t hd_loads_form(const struct hd_insn *in, const struct hd_deps *deps);
// For runs without timing: the whole instruction, for these lanes, at least one. False if nothing
// was done, because it is not one of the simple cases.
bool hd_loads_near(struct hd_emu_sm *sm, const struct hd_emu_warp *w, const struct hd_insn *in,
                   uint32_t lanes);
bool hd_stores_near(struct hd_emu_sm *sm, const struct hd_emu_warp *w, const struct hd_insn *in,
                    uint32_t lanes);
// The same for lanes whose host addresses are known. Loads search the log for lanes in x->global;
// stores are added to it.
void hd_loads_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in, uint32_t lanes,
                    const struct hd_emu_access *x);
// `data` is the row that is stored, or its index into vecs.
void hd_stores_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in, int32_t data,
                     uint32_t lanes, const struct hd_emu_access *x);
// Pieces of `bytes` bytes, consecutive in `to` and `from`.
void hd_loads_bytes(struct hd_emu_sm *sm, uint32_t lanes, const struct hd_emu_access *x,
                    unsigned bytes, uint8_t *to);
void hd_stores_bytes(struct hd_emu_sm *sm, uint32_t lanes, const struct hd_emu_access *x,
                     unsigned bytes, const uint8_t *from);
// Many bytes from shared to global memory; they are read at the end of the cycle.
void hd_stores_bulk(struct hd_emu_sm *sm, uint8_t *to, uint8_t *from, uint32_t bytes);
// copies.c: asynchronous copies, their groups, mbarriers. False after a trap.
void hd_copies_prepare(struct hd_emu_sm *sm);
bool hd_copies_under_way(const struct hd_emu_sm *sm); // whether anything has not been completed
bool hd_copies_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out);
bool hd_copies_group(const struct hd_insn *in, struct hd_effects *out);
bool hd_mbarrier_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out);
void hd_copies_complete(void *self, uint32_t token);
bool hd_mbarrier_poll(void *self, unsigned warp, bool late);
const char *hd_mbarrier_describe(const void *self, unsigned warp, char *buf, size_t bytes);
// tensor.c: how many bytes of a lane a store of a matrix reports; arithmetic on matrices; loads and
// stores, false after a trap.
unsigned hd_tensor_piece(const struct hd_insn *in);
void hd_tensor_compute(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                       uint32_t lanes);
bool hd_tensor_access(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out);
// texture.c: false after a trap.
bool hd_texture_fetch(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out);
bool hd_texture_query(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out);
bool hd_surface_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                     struct hd_effects *out);
// warp.c: the same, and the stack has been moved on.
bool hd_warp_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                  struct hd_effects *out);
void hd_warp_merge_absences(struct hd_emu_sm *sm); // adds noted absences to hd_emu_absences
// arrive.c. A barrier: lanes arrive, and the path has moved on or waits. False after a trap. Then:
// a warp has ended.
bool hd_arrive_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out);
// barrier.cluster, at which a warp arrives or `waits` as a whole.
void hd_arrive_cluster(struct hd_emu_sm *sm, unsigned warp, bool waits, struct hd_effects *out);
void hd_arrive_exit(struct hd_emu_sm *sm, unsigned warp);
void hd_atomic_serve(void *self, unsigned warp, uint32_t lanes);
void hd_atomic_finish(void *self, unsigned warp);

#endif
