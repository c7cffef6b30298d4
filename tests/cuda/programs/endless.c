// endless.c - a program that does not end by itself: PLACE says where it stays, MANNER what it does
// with the signals that would end it, a third word that it stays in a process that it starts.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/abi/driver.h"

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry spin(.param .u64 n)\n{\n"
                          ".reg .b64 %rd<3>;\n.reg .pred %p<2>;\n"
                          "ld.param.u64 %rd1, [n];\nmov.u64 %rd2, 0;\n"
                          "L: add.u64 %rd2, %rd2, 1;\nsetp.lt.u64 %p1, %rd2, %rd1;\n"
                          "@%p1 bra L;\nret;\n}\n";

static volatile sig_atomic_t had; // signals

static void count(int signal_number)
{
    (void)signal_number;
    had++;
}

static void leave(int signal_number)
{
    (void)signal_number;
    exit(9);
}

static void behave(const char *manner)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction act = {.sa_handler = !strcmp(manner, "ignore")  ? SIG_IGN
                                          : !strcmp(manner, "count") ? count
                                          : !strcmp(manner, "exit")  ? leave
                                                                     : SIG_DFL};
    sigset_t set;

    sigemptyset(&set);
    for (int i = 0; i < 3; i++) {
        sigaction(signals[i], &act, NULL);
        sigaddset(&set, signals[i]);
    }
    if (!strcmp(manner, "block"))
        pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static CUresult launch(CUfunction kernel, unsigned long long n)
{
    void *params[] = {&n};
    CUresult e = cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL);

    return e == CUDA_SUCCESS ? cuCtxSynchronize() : e;
}

static int stay(const char *place, const char *manner)
{
    CUcontext context;
    CUmodule module;
    CUfunction kernel;

    behave(manner);
    if (cuInit(0) || cuCtxCreate(&context, NULL, 0, 0) || cuModuleLoadData(&module, ptx) ||
        cuModuleGetFunction(&kernel, module, "spin") || launch(kernel, 10))
        return 1;
    printf("ready %d\n", (int)getpid());
    fflush(stdout);
    printf("this was said later\n");
    if (!strcmp(place, "host"))
        while (!had)
            continue;
    else if (!strcmp(place, "read"))
        (void)getchar();
    else
        (void)launch(kernel, 1ull << 62);
    return had ? 8 : 7; // as one that tidies up
}

int main(int argc, char **argv)
{
    int status;

    if (argc == 3)
        return stay(argv[1], argv[2]);
    pid_t child = fork();
    if (!child)
        return stay(argv[1], argv[2]);
    while (waitpid(child, &status, 0) < 0)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 40;
}
