// replay.c - runs a fuzz target over stored inputs, without a fuzzer.
//
//   fuzz_ptx [FILE...]      no argument: every file of tests/fuzz/corpus/<target>/
//
// Besides each input itself it tries prefixes of it and small mutations from a fixed seed, so that
// a plain `make check` walks the error paths of the parsers, the same way each time. A crash, a
// sanitizer report or a hang (the test runner's time limit) is a failure. Speaks TAP, one line per
// stored input. libFuzzer or AFL can drive the same targets; see docs/testing.md.
#include "fuzz/replay.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIXES = 48, MUTATIONS = 200, MAX_INPUTS = 512, MAX_PATH = 512 };

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// An exact copy on the heap, so that one byte read too many is seen by AddressSanitizer.
static void try_bytes(const uint8_t *data, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);

    if (!copy)
        exit(2);
    if (n)
        memcpy(copy, data, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

static void mutate(uint8_t *data, size_t n, uint64_t *state)
{
    static const char tokens[] = "{}[]();,.:%+-\"/\n\0 9xZ@<|_#~\xff";
    unsigned changes = 1 + (unsigned)(splitmix(state) % 4);

    for (; changes; changes--) {
        size_t at = (size_t)(splitmix(state) % n);
        switch (splitmix(state) % 4) {
        case 0:
            data[at] ^= (uint8_t)(1u << splitmix(state) % 8);
            break;
        case 1:
            data[at] = (uint8_t)tokens[splitmix(state) % (sizeof tokens - 1)];
            break;
        case 2: // repeat what stood elsewhere
            data[at] = data[splitmix(state) % n];
            break;
        default: { // move a stretch
            size_t from = (size_t)(splitmix(state) % n);
            size_t longest = n - (at > from ? at : from);
            memmove(data + at, data + from, longest < 24 ? longest : 24);
        }
        }
    }
}

static void try_around(const uint8_t *data, size_t n)
{
    uint64_t state = n;
    uint8_t *changed = malloc(n ? n : 1);

    if (!changed)
        exit(2);
    try_bytes(data, n);
    for (size_t i = 0; i < PREFIXES; i++)
        try_bytes(data, n * i / PREFIXES);
    for (size_t i = 0; n && i < MUTATIONS; i++) {
        memcpy(changed, data, n);
        mutate(changed, n, &state);
        try_bytes(changed, n);
    }
    free(changed);
}

static uint8_t *read_whole(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = NULL;
    long size;

    if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0) {
        data = malloc((size_t)size + 1);
        *n = data ? fread(data, 1, (size_t)size, f) : 0;
    }
    if (f)
        fclose(f);
    return data;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static char paths[MAX_INPUTS][MAX_PATH];

static size_t list_corpus(const char *target)
{
    char folder[256];
    size_t n = 0;
    DIR *dir;
    struct dirent *entry;

    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", target);
    dir = opendir(folder);
    while (dir && n < MAX_INPUTS && (entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            snprintf(paths[n++], MAX_PATH, "%s/%s", folder, entry->d_name);
    if (dir)
        closedir(dir);
    qsort(paths, n, MAX_PATH, by_name);
    return n;
}

int main(int argc, char **argv)
{
    const char *name = strrchr(argv[0], '/');
    size_t n = 0;

    name = name ? name + 1 : argv[0];
    if (argc > 1)
        for (; n < MAX_INPUTS && (int)n < argc - 1; n++)
            snprintf(paths[n], MAX_PATH, "%s", argv[n + 1]);
    else
        n = list_corpus(strncmp(name, "fuzz_", 5) == 0 ? name + 5 : name);
    printf("1..%zu\n", n ? n : 1);
    if (n == 0)
        printf("not ok 1 - no stored inputs for %s\n", name);
    for (size_t i = 0; i < n; i++) {
        size_t bytes = 0;
        uint8_t *data = read_whole(paths[i], &bytes);
        // Said before the work, so that a crash names its input.
        fprintf(stderr, "# around %s\n", paths[i]);
        if (data)
            try_around(data, bytes);
        printf("%s %zu - %s\n", data ? "ok" : "not ok", i + 1, paths[i]);
        fflush(stdout);
        free(data);
    }
    return n ? 0 : 1;
}
