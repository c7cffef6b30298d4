// program.c - queries about a decoded program that do not depend on where it comes from.
#include "heddle/program.h"

#include <string.h>

const struct hd_func *hd_program_find(const struct hd_program *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_funcs; i++)
        if (!strcmp(p->funcs[i].name, name))
            return &p->funcs[i];
    return NULL;
}
