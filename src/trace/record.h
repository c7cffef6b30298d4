// record.h - an instruction source that records what another one does, and finds out whether it
// would do the same at other times.
//
// It is between an SM (or the runner without timing) and the emulator, and changes nothing. A trace
// is replayable if no instruction depended on the time, the place or what another warp may or may
// not have done yet (shadow.h). Otherwise the first reason is kept as a sentence.
#ifndef HEDDLE_TRACE_RECORD_H
#define HEDDLE_TRACE_RECORD_H

#include "trace/tracefile.h"

struct hd_record;

// A new trace file at `path`. NULL with a diagnostic if it cannot be written.
struct hd_record *hd_record_new(struct hd_arena *a, const char *path, struct hd_diag *d);
// The machine, from its making on. sms: of it; 1 without timing.
void hd_record_machine(struct hd_record *r, unsigned sms);
void hd_record_program(struct hd_record *r, const struct hd_program *p); // loaded
void hd_record_launch(struct hd_record *r, const struct hd_launch *l);
void hd_record_copied(struct hd_record *r, uint64_t addr, uint64_t bytes); // by the host
// A kernel has launched one: such a run cannot be recorded, and hd_record_finish reports that.
void hd_record_child(struct hd_record *r);
void hd_record_run(struct hd_record *r, bool begins); // the machine starts or stops running
void hd_record_ended(struct hd_record *r);            // a launch has
// The SMs make their steps of a cycle, in any order; all have made them. What they did is written
// down in between by the order of the SMs, so a trace's bytes do not depend on that of the steps.
// Without timing there are no steps.
void hd_record_step(struct hd_record *r);
void hd_record_settle(struct hd_record *r); // before stores change memory
struct hd_isrc hd_record_source(struct hd_record *r, unsigned sm, struct hd_isrc inner);

// The reason why it cannot be replayed on another machine; NULL: so far it can.
const char *hd_record_reason(const struct hd_record *r);
// The description of the run, to be filled in before hd_record_finish.
struct hd_tracefile_summary *hd_record_summary(struct hd_record *r);
bool hd_record_finish(struct hd_record *r, struct hd_diag *d);
void hd_record_drop(struct hd_record *r); // leaves no file; does nothing for NULL or a finished one

#endif
