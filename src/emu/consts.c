// consts.c - access of the host to a module's constant memory.
#include "emu/emu.h"

#include "base/bug.h"
#include "emu/emu_internal.h"

uint8_t *hd_consts_at(struct hd_emu *e, const struct hd_program *p, uint64_t address,
                      uint64_t bytes)
{
    for (size_t i = 0; i < e->n_modules; i++) {
        struct hd_emu_module *m = &e->modules[i];
        if (m->program == p)
            return address > m->const_bytes || bytes > m->const_bytes - address
                       ? NULL
                       : m->consts + address;
    }
    HD_BUG("%s was not loaded", p->path);
}
