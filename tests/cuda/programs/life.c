// life.c - what processes do besides computing: threads that outlive main, children, exits of
// several kinds, rounding, traps and locales of their own. The first argument says which.
#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xmmintrin.h>

#include "cuda/abi/driver.h"

#define CALL(x)                                                                                    \
    do {                                                                                           \
        CUresult e = (x);                                                                          \
        if (e != CUDA_SUCCESS) {                                                                   \
            printf("%s: %s\n", #x, name_of(e));                                                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
    ".global .align 1 .b8 text[6] = {37, 46, 50, 102, 10, 0};\n"
    // out[0] = in / 3, out[1] = in / 2, out[2] = 1 / 0
    ".visible .entry third(.param .u64 out, .param .f32 in)\n{\n"
    ".reg .b64 %rd<4>;\n.reg .f32 %f<8>;\n.reg .b32 %r<2>;\n.reg .f64 %d<2>;\n"
    ".local .align 8 .b8 depot[8];\n"
    "ld.param.u64 %rd1, [out];\nld.param.f32 %f1, [in];\n"
    "div.rn.f32 %f2, %f1, 0f40400000;\nst.global.f32 [%rd1], %f2;\n"
    "mul.f32 %f3, %f1, 0.5;\nst.global.f32 [%rd1+4], %f3;\n"
    "mov.f32 %f4, 0f00000000;\nrcp.rn.f32 %f5, %f4;\nst.global.f32 [%rd1+8], %f5;\n"
    "cvta.local.u64 %rd2, depot;\nmov.f64 %d1, 0d3FF8000000000000;\nst.local.f64 [depot], %d1;\n"
    "cvta.global.u64 %rd3, text;\n{\n.param .b64 p0;\n.param .b64 p1;\n.param .b32 r0;\n"
    "st.param.b64 [p0], %rd3;\nst.param.b64 [p1], %rd2;\n"
    "call (r0), vprintf, (p0, p1);\nld.param.b32 %r1, [r0];\n}\nret;\n}\n";

static CUfunction kernel;
static CUdeviceptr out;

static const char *name_of(CUresult e)
{
    const char *name = "?";

    cuGetErrorName(e, &name);
    return name;
}

static CUresult launch(float in)
{
    void *params[] = {&out, &in};

    return cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
}

static void start(void)
{
    CUcontext context;
    CUmodule module;

    CALL(cuInit(0));
    CALL(cuCtxCreate(&context, NULL, 0, 0));
    CALL(cuModuleLoadData(&module, ptx));
    CALL(cuModuleGetFunction(&kernel, module, "third"));
    CALL(cuMemAlloc(&out, 12));
}

static void show(float in)
{
    unsigned bits[3];

    CALL(launch(in));
    CALL(cuMemcpyDtoH(bits, out, sizeof bits));
    printf("%08x %08x %08x\n", bits[0], bits[1], bits[2]);
}

static pthread_barrier_t all_busy;

// main's end must not overtake the thread's start: whatever it calls may end in DEINITIALIZED then.
static void *busy(void *context)
{
    CUresult e;

    CALL(cuCtxSetCurrent(context));
    pthread_barrier_wait(&all_busy);
    while ((e = launch(1)) == CUDA_SUCCESS && (e = cuCtxSynchronize()) == CUDA_SUCCESS)
        continue;
    if (e != CUDA_ERROR_DEINITIALIZED) {
        fprintf(stderr, "a thread was told %s\n", name_of(e));
        _exit(1);
    }
    for (;;)
        pause();
}

static void threads(void)
{
    CUcontext context;
    pthread_t t;

    CALL(cuCtxGetCurrent(&context));
    if (!freopen("/dev/null", "w", stdout)) // what they print
        exit(9);
    pthread_barrier_init(&all_busy, NULL, 4);
    for (int i = 0; i < 3; i++)
        pthread_create(&t, NULL, busy, context);
    pthread_barrier_wait(&all_busy);
    usleep(1000);
}

static void *hold(void *unused)
{
    for (;;)
        cuCtxSynchronize();
    return unused;
}

// A child has no device, and hands out no results of its parent's.
static void child(void)
{
    pthread_t t;
    float x;
    int status;

    CALL(launch(1));
    pthread_create(&t, NULL, hold, NULL); // fork in the middle of a call, perhaps
    usleep(1000);
    fflush(stdout);
    pid_t pid = fork();
    if (!pid) {
        alarm(10);
        printf("child: %s, %s\n", name_of(cuMemcpyDtoH(&x, out, 4)), name_of(cuInit(0)));
        exit(7);
    }
    waitpid(pid, &status, 0);
    printf("it ended with %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void leave(void *data)
{
    (void)data;
    exit(4);
}

static void speak(void *data)
{
    (void)data;
    printf("host: %.1f, rounding %s\n", 2.5, fegetround() == FE_UPWARD ? "up" : "otherwise");
}

static void surround(void)
{
    fesetround(FE_UPWARD);
    _mm_setcsr((_mm_getcsr() | 0x8040) & ~0x0280u); // flush denormals, trap 0/0 and 1/0
    show(1);
    show(1e-38f);
    CALL(cuLaunchHostFunc(NULL, speak, NULL));
    CALL(cuCtxSynchronize());
    printf("rounding %s, control %x\n", fegetround() == FE_UPWARD ? "up" : "otherwise",
           _mm_getcsr() & 0xffc0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (!strcmp(what, "locale") && !setlocale(LC_ALL, ""))
        puts("no such locale");
    if (!strcmp(what, "before")) // a child of a process that has no device yet
        if (fork()) {
            int status;
            wait(&status);
            return WEXITSTATUS(status);
        }
    start();
    if (!strcmp(what, "surround"))
        surround();
    else if (!strcmp(what, "threads"))
        threads();
    else if (!strcmp(what, "child"))
        child();
    else
        show(1);
    if (!strcmp(what, "quick"))
        quick_exit(0);
    if (!strcmp(what, "at once"))
        _exit(0);
    if (!strcmp(what, "abort"))
        abort();
    if (!strcmp(what, "host")) {
        CALL(cuLaunchHostFunc(NULL, leave, NULL));
        CALL(cuCtxSynchronize());
    }
    if (!strcmp(what, "locale"))
        printf("%.1f\n", 1.5);
    return 0;
}
