// lines.c - loads the modules that are named after the first word and launches the kernel step of
// each twice. The first word says how: plain, fault (a pointer to nothing), none (no launch), long
// (a kernel that hardly ends) or exit (the same, and a handler ends the program).
#include "cuda/abi/driver.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool exits;

static void leave(int n)
{
    exit(n == SIGALRM ? 9 : 10);
}

static int step(const char *path, CUdeviceptr at, unsigned times)
{
    CUmodule module;
    CUfunction kernel;
    void *params[] = {&at, &times};

    if (cuModuleLoad(&module, path) || cuModuleGetFunction(&kernel, module, "step"))
        return 3;
    alarm(exits);
    for (int i = 0; i < 2; i++)
        if (cuLaunchKernel(kernel, 3, 1, 1, 64, 1, 1, 0, NULL, params, NULL) || cuCtxSynchronize())
            return 4;
    return cuModuleUnload(module) ? 5 : 0;
}

int main(int argc, char **argv)
{
    CUcontext context;
    CUdeviceptr at;
    int status = 0;

    bool plain = argc > 1 && (!strcmp(argv[1], "plain") || !strcmp(argv[1], "fault"));

    if (argc < 2 || cuInit(0) || cuCtxCreate(&context, NULL, 0, 0) || cuMemAlloc(&at, 1024))
        return 2;
    signal(SIGALRM, leave);
    exits = !strcmp(argv[1], "exit");
    for (int i = 2; i < argc && !status && strcmp(argv[1], "none") != 0; i++)
        status = step(argv[i], strcmp(argv[1], "fault") != 0 ? at : 0, plain ? 5 : 1u << 31);
    printf("status %d\n", status);
    return status;
}
