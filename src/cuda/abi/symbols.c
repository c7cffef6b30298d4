// symbols.c - cuGetProcAddress: functions by name and version.
//
// The table needs only the addresses of functions, so it declares them without prototypes.
#include "cuda/abi/symbols.h"

#include "base/lock.h"

#include <stddef.h>
#include <string.h>

#define S(name, version, symbol) int symbol(void);
#define P(name, version, symbol, ptsz)                                                             \
    int symbol(void);                                                                              \
    int ptsz(void);
#include "cuda/abi/symbols.def"
#undef S
#undef P

static const struct symbol {
    const char *name;
    int version;
    int (*plain)(void), (*per_thread)(void);
} symbols[] = {
#define S(name, version, symbol) {#name, version, symbol, symbol},
#define P(name, version, symbol, ptsz) {#name, version, symbol, ptsz},
#include "cuda/abi/symbols.def"
#undef S
#undef P
};

static const struct {
    const char *name;
    int version;
} missing[] = {
#define X(name, version) {#name, version},
#include "cuda/abi/unsupported.def"
#undef X
};

// Whether a later version of CUDA than this one brought a name that heddle does not have.
static bool comes_later(const char *name, int version)
{
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (!strcmp(missing[i].name, name))
            return missing[i].version > version;
    return false;
}

bool hd_symbols_find(const char *name, int version, bool per_thread, void **function, bool *known)
{
    const struct symbol *best = NULL;

    *known = false;
#ifdef HD_DEBUG
    if (!strcmp(name, "hd_lock_held")) { // for the runtime library: one order of locks for both
        unsigned *(*held)(void) = hd_lock_held;
        memcpy(function, &held, sizeof held);
        *known = true;
        return true;
    }
#endif
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (!strcmp(symbols[i].name, name)) {
            *known = true;
            if (symbols[i].version <= version)
                best = &symbols[i];
        }
    *known = *known || comes_later(name, version);
    *function = NULL;
    if (best) {
        int (*f)(void) = per_thread ? best->per_thread : best->plain;
        memcpy(function, &f, sizeof f);
    }
    return best != NULL;
}
