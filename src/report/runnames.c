// runnames.c - a run under the names that GPGPU-Sim prints, for scripts that look for them there.
//
// After every kernel, as GPGPU-Sim does: gpu_sim_* of this kernel, everything else summed since the
// start. A name whose value this model does not have is left out, never printed as 0: no occupancy,
// no bandwidths, no breakdown by kind of access, no pending hits of the instruction, constant and
// texture caches (those are among the misses there and here), no caches that the machine lacks.
#include "report/runreport.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct sums { // over the kernels so far
    struct hd_runreport_span span;
    uint64_t insts, blocks;
    struct hd_sm_stats sm;
    struct hd_mem_stats mem;
    bool all_blocks; // every block of every kernel ended
};

static void add_kernel(struct sums *t, const struct hd_kernel_result *k)
{
    const uint32_t *grid = k->launch->grid;

    hd_runreport_span_add(&t->span, k);
    t->insts += k->sm.thread_insts;
    t->blocks += k->sm.tbs;
    t->all_blocks = t->all_blocks && k->sm.tbs == (uint64_t)grid[0] * grid[1] * grid[2];
    hd_stats_add_sm(&t->sm, &k->sm);
    t->mem.l2_accesses += k->mem.l2_accesses;
    t->mem.l2_misses += k->mem.l2_misses;
    t->mem.l2_pending += k->mem.l2_pending;
    t->mem.l2_reservation_fails += k->mem.l2_reservation_fails;
    t->mem.dram_reads += k->mem.dram_reads;
    t->mem.dram_writes += k->mem.dram_writes;
}

static void put_cache(struct hd_out *out, const char *name, uint64_t accesses, uint64_t misses,
                      const uint64_t *pending, uint64_t fails)
{
    hd_out_printf(out, "%s_total_cache_accesses = %" PRIu64 "\n", name, accesses);
    hd_out_printf(out, "%s_total_cache_misses = %" PRIu64 "\n", name, misses);
    if (accesses)
        hd_out_printf(out, "%s_total_cache_miss_rate = %.4f\n", name,
                      (double)misses / (double)accesses);
    if (pending)
        hd_out_printf(out, "%s_total_cache_pending_hits = %" PRIu64 "\n", name, *pending);
    hd_out_printf(out, "%s_total_cache_reservation_fails = %" PRIu64 "\n", name, fails);
}

static void put_caches(const struct hd_config *c, const struct sums *t, struct hd_out *out)
{
    const struct hd_sm_stats *s = &t->sm;
    const struct hd_mem_stats *m = &t->mem;

    hd_out_printf(out, "\n========= Core cache stats =========\n");
    if (!c->l1i.perfect) {
        hd_out_printf(out, "L1I_cache:\n");
        put_cache(out, "\tL1I", s->l1i_accesses, s->l1i_misses, NULL, s->l1i_reservation_fails);
    }
    if (c->l1d.enabled) {
        hd_out_printf(out, "L1D_cache:\n");
        put_cache(out, "\tL1D", s->l1d_accesses, s->l1d_misses, &s->l1d_pending,
                  s->l1d_reservation_fails);
    }
    if (!c->l1c.perfect) {
        hd_out_printf(out, "L1C_cache:\n");
        put_cache(out, "\tL1C", s->l1c_accesses, s->l1c_misses, NULL, s->l1c_reservation_fails);
    }
    if (!c->l1t.perfect) {
        hd_out_printf(out, "L1T_cache:\n");
        put_cache(out, "\tL1T", s->l1t_accesses, s->l1t_misses, NULL, s->l1t_reservation_fails);
    }
    hd_out_printf(out, "gpgpu_n_tot_w_icount = %" PRIu64 "\n", s->warp_insts);
    hd_out_printf(out, "Warp Occupancy Distribution:\n");
    hd_out_printf(out, "Stall:%" PRIu64 "\tW0_Idle:%" PRIu64 "\tW0_Scoreboard:%" PRIu64 "\n",
                  s->pipeline, s->idle, s->scoreboard);
    if (c->gpu.memory == HD_MEM_FLAT)
        return;
    hd_out_printf(out, "total dram reads = %" PRIu64 "\n", m->dram_reads);
    hd_out_printf(out, "total dram writes = %" PRIu64 "\n", m->dram_writes);
    hd_out_printf(out, "\n========= L2 cache stats =========\n");
    put_cache(out, "L2", m->l2_accesses, m->l2_misses, &m->l2_pending, m->l2_reservation_fails);
}

static void put_kernel(const struct hd_config *c, const struct hd_kernel_result *k,
                       const struct sums *t, struct hd_out *out)
{
    // Kernels are counted from 1 there; names and numbers end in a blank.
    hd_out_printf(out, "kernel_name = ");
    hd_out_add(out, k->name, strlen(k->name));
    hd_out_printf(out, " \nkernel_launch_uid = %u \n", k->launch->id + 1);
    hd_out_printf(out, "gpu_sim_cycle = %" PRIu64 "\n", k->cycles);
    hd_out_printf(out, "gpu_sim_insn = %" PRIu64 "\n", k->sm.thread_insts);
    hd_out_printf(out, "gpu_ipc = %12.4f\n", hd_runreport_ipc(k->sm.thread_insts, k->cycles));
    hd_out_printf(out, "gpu_tot_sim_cycle = %" PRIu64 "\n", t->span.cycles);
    hd_out_printf(out, "gpu_tot_sim_insn = %" PRIu64 "\n", t->insts);
    hd_out_printf(out, "gpu_tot_ipc = %12.4f\n", hd_runreport_ipc(t->insts, t->span.cycles));
    if (t->all_blocks) // blocks issued and blocks done are then the same
        hd_out_printf(out, "gpu_tot_issued_cta = %" PRIu64 "\n", t->blocks);
    put_caches(c, t, out);
}

// Whole seconds, at least one, as there.
static void put_speed(const struct hd_runreport *r, const struct sums *t, struct hd_out *out)
{
    double running = r->seconds - r->startup_seconds;
    uint64_t s = running > 1 ? (uint64_t)floor(running) : 1;

    hd_out_printf(out, "\n\ngpgpu_simulation_time = %" PRIu64 " days, %" PRIu64 " hrs, ", s / 86400,
                  s / 3600 % 24);
    hd_out_printf(out, "%" PRIu64 " min, %" PRIu64 " sec (%" PRIu64 " sec)\n", s / 60 % 60, s % 60,
                  s);
    if (!(running > 0))
        return;
    hd_out_printf(out, "gpgpu_simulation_rate = %.0f (inst/sec)\n", (double)t->insts / running);
    hd_out_printf(out, "gpgpu_simulation_rate = %.0f (cycle/sec)\n",
                  (double)t->span.cycles / running);
}

void hd_runnames_write(const struct hd_runreport *r, struct hd_out *out)
{
    struct sums t = {.all_blocks = true};

    for (unsigned i = 0; i < hd_gpu_n_results(r->run->gpu); i++) {
        const struct hd_kernel_result *k = hd_gpu_result(r->run->gpu, i);
        add_kernel(&t, k);
        put_kernel(r->options->gpu.config, k, &t, out);
        hd_out_printf(out, "\n");
    }
    if (r->host)
        put_speed(r, &t, out);
    // Scripts take this line for "the program came to its end".
    if (r->run->status == HD_RUN_OK || r->run->status == HD_RUN_LIMIT)
        hd_out_printf(out, "GPGPU-Sim: *** exit detected ***\n");
}
