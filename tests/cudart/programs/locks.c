// locks.c - threads that use the runtime while functions of the program, called by the driver, use
// it too: none may wait for another for ever.
//
//   locks PLUGIN     PLUGIN is this file as a shared library (-DPLUGIN): it registers a fatbin
#include "cudart/runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry nothing()\n{\n  ret;\n}\n";
static struct {
    uint32_t magic, version;
    const void *fatbin, *units;
} wrapper = {0x466243b1, 1, NULL, NULL};
static uint8_t fatbin[16 + 64 + sizeof ptx];
static char nothing;

static void put(unsigned at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        fatbin[at + i] = (uint8_t)(value >> 8 * i);
}

static void enrol(void)
{
    put(0, 0xba55ed50, 4);
    put(4, 1, 2);
    put(6, 16, 2);
    put(8, 64 + sizeof ptx, 8);
    put(16, 1, 2);
    put(18, 0x101, 2);
    put(20, 64, 4);
    put(24, sizeof ptx, 8);
    put(16 + 28, 75, 4);
    memcpy(fatbin + 80, ptx, sizeof ptx);
    wrapper.fatbin = fatbin;
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &nothing, &nothing, "nothing", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
}

#ifdef PLUGIN
__attribute__((constructor)) static void at_load(void)
{
    enrol();
}
#else
#define CHECK(e)                                                                                   \
    do {                                                                                           \
        int got_ = (int)(e);                                                                       \
        if (got_)                                                                                  \
            printf("line %d: %d\n", __LINE__, got_), exit(1);                                      \
    } while (0)

static atomic_bool over;
static atomic_uint asked;

static void *ask(void *unused)
{
    const char *name;

    while (!over) {
        CHECK(cudaFuncGetName(&name, &nothing));
        asked++;
    }
    return unused;
}

// The other thread is in the middle of its question by then.
static void pause_a_while(void)
{
    usleep(2000);
}

static void fails(void *data)
{
    for (int i = 0; i < 20; i++) {
        void *p;
        pause_a_while();
        if (cudaMalloc(&p, 4) != cudaErrorNotPermitted || cudaGetLastError() == cudaSuccess)
            printf("a host function may call\n");
    }
    ++*(int *)data;
}

static void loads(void *path)
{
    pause_a_while();
    if (!dlopen(path, RTLD_NOW))
        printf("%s\n", dlerror());
}

static void rounds_up(void *data)
{
    pause_a_while();
    ++*(int *)data;
}

static unsigned long uses;

static size_t dynamic(int threads)
{
    struct cudaFuncAttributes a;

    CHECK(cudaFuncGetAttributes(&a, &nothing));
    pause_a_while();
    uses++;
    return (size_t)threads;
}

int main(int argc, char **argv)
{
    int calls = 0, blocks, size;
    CUuserObject object;
    pthread_t thread;
    CUfunction f;

    if (argc != 2)
        return 2;
    setvbuf(stdout, NULL, _IONBF, 0);
    enrol();
    CHECK(cudaFree(NULL));
    CHECK(cudaGetFuncBySymbol(&f, &nothing));
    if (pthread_create(&thread, NULL, ask, NULL))
        return 1;
    CHECK(cudaLaunchHostFunc(NULL, fails, &calls));
    CHECK(cudaDeviceSynchronize());
    printf("host function %d\n", calls);
    CHECK(cudaLaunchHostFunc(NULL, loads, argv[1]));
    CHECK(cudaDeviceSynchronize());
    printf("plugin\n");
    CHECK(cuUserObjectCreate(&object, &calls, rounds_up, 1, 1));
    CHECK(cuUserObjectRelease(object, 1));
    printf("user object %d\n", calls);
    CHECK(cuOccupancyMaxPotentialBlockSize(&blocks, &size, f, dynamic, 0, 0));
    printf("occupancy %d %d\n", uses > 1, blocks > 0 && size > 0);
    over = 1;
    pthread_join(thread, NULL);
    printf("asked %d\n", asked > 0);
    return 0;
}
#endif
