// mem_bench.h - what the tests of the memory side share: the GTX 480's configuration.
#ifndef HEDDLE_TESTS_MEM_BENCH_H
#define HEDDLE_TESTS_MEM_BENCH_H

#include "base/config.h"
#include "base/diag.h"
#include "base/fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// Every key's default: the GTX 480 of GPGPU-Sim 3.2.2 (gpus/gtx480.ini says the same; tested).
static inline void mem_bench_config(struct hd_config *c)
{
    memset(c, 0, sizeof *c);
    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++)
        hd_fields_defaults(s->rows, c);
    c->gpu.memory = HD_MEM_CROSSBAR;
}

#endif
