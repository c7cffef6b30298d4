// loaded.c - see loaded.h. The dynamic loader counts the objects that it loads. As long as the
// count has not changed, a call here only reads it. `heddle exec` names the libraries that the
// program is linked with before it starts the program, and lists them in HEDDLE_NAMED.
#include "cuda/abi/loaded.h"

#include "base/arena.h"
#include "base/diag.h"
#include "fatbin/kernellibs.h"

#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static atomic_flag busy = ATOMIC_FLAG_INIT; // other threads return at once meanwhile
static unsigned long long seen;             // the loader's count
static struct hd_arena *arena;
static struct hd_kernellibs_use *uses; // without folders, in the order of naming
static size_t n_uses, cap_uses;

static bool is_known(const char *file)
{
    const char *named = getenv("HEDDLE_NAMED");
    size_t length = strlen(file);

    for (size_t i = 0; i < n_uses; i++)
        if (!strcmp(uses[i].file, file))
            return true;
    while (named && *named) {
        size_t n = strcspn(named, ":");
        if (n == length && !memcmp(named, file, n))
            return true;
        named += n + (named[n] == ':');
    }
    return false;
}

// This must not print: the loader holds its lock.
static int look(struct dl_phdr_info *object, size_t size, void *ctx)
{
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *file = slash ? slash + 1 : object->dlpi_name;

    (void)size, (void)ctx;
    if (!hd_kernellibs_name(file) || is_known(file))
        return 0;
    if (!arena)
        arena = hd_arena_new();
    file = hd_arena_strdup(arena, file);
    *HD_PUSH(arena, uses, n_uses, cap_uses) =
        (struct hd_kernellibs_use){.name = hd_kernellibs_name(file), .file = file, .by = ""};
    return 0;
}

static int count(struct dl_phdr_info *object, size_t size, void *ctx)
{
    (void)size;
    *(unsigned long long *)ctx = object->dlpi_adds;
    return 1;
}

void hd_loaded_note(void)
{
    unsigned long long now = 0;

    if (atomic_flag_test_and_set(&busy))
        return;
    size_t from = n_uses;
    dl_iterate_phdr(count, &now);
    if (now != seen)
        dl_iterate_phdr(look, NULL);
    seen = now; // what was loaded between the two is found at the next call
    if (n_uses > from) {
        struct hd_diag d = {.n = 0};
        hd_kernellibs_tell(&d, NULL, "the program has loaded", uses + from, n_uses - from);
        d.entries[0].warning = true;
        hd_diag_print(&d, stderr);
    }
    atomic_flag_clear(&busy);
}
