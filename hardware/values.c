// values.c - what a GPU computes, beside what heddle's tests expect.
//
//   values FILE.t...      run the programs of tests/ptx/ (tests/shared/ptx_parts.h) and compare
//   values --approx STEP  print what approximate functions give for every STEP-th float
//
// It uses the CUDA driver API alone. On a machine with an NVIDIA GPU it checks heddle's tests, and
// so the emulator; under `heddle exec` it tests this program itself. One line for each result that
// the test does not expect:
//
//   differs FILE:LINE ...   a result has another value
//   refused FILE:LINE ...   the driver does not compile the program
//   ends FILE:LINE ...      the program should fault but does not, or faults but should not
//   hangs FILE:LINE         it does not end within ten seconds
//   dies FILE:LINE          the driver crashes
//
// A program that should fault agrees if it faults in any way, because a GPU does not say which
// thread faults. Exit status 0, 1 if a line was printed, 2 if there is no GPU or a file is wrong.
#include <cuda.h>

#include "shared/ptx_parts.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 10 // seconds for one program

// What the process that runs programs leaves for the one that watches it.
static struct progress {
    unsigned long parts; // run so far
    unsigned long complaints;
    char where[200]; // the program that is running
} * progress;

static unsigned long skip, seen; // parts that an earlier process has run; parts read by this one

static void good(CUresult r, const char *what)
{
    const char *name = "an unknown error";

    if (r == CUDA_SUCCESS)
        return;
    cuGetErrorName(r, &name);
    fprintf(stderr, "values: %s: %s\n", what, name);
    exit(2);
}

static void open_device(void)
{
    CUdevice device;
    CUcontext context;

    good(cuInit(0), "cuInit");
    good(cuDeviceGet(&device, 0), "cuDeviceGet");
    good(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    good(cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

static CUdeviceptr buffer(const void *from, size_t bytes)
{
    CUdeviceptr p;

    bytes = bytes ? bytes : 4;
    good(cuMemAlloc(&p, bytes), "cuMemAlloc");
    good(cuMemsetD8(p, 0, bytes), "cuMemsetD8");
    if (from)
        good(cuMemcpyHtoD(p, from, bytes), "cuMemcpyHtoD");
    return p;
}

// --- the programs of tests/ptx

static void complain(const struct ptx_part *p, const char *kind, const char *text)
{
    printf("%s %s:%d%s%.300s\n", kind, p->file, p->line, *text ? ": " : "", text);
    fflush(stdout);
    progress->complaints++;
}

// The kernel, or false after a complaint.
static bool load(const struct ptx_part *p, CUmodule *module, CUfunction *kernel)
{
    static char text[PTX_PART_MODULE];
    char log[2000] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};

    if (!ptx_part_module(p, text)) {
        fprintf(stderr, "values: %s:%d: no result register `%s`\n", p->file, p->line, p->reg);
        exit(2);
    }
    CUresult r = cuModuleLoadDataEx(module, text, 2, options, values);
    if (r == CUDA_SUCCESS)
        r = cuModuleGetFunction(kernel, *module, "test");
    if (r == CUDA_SUCCESS)
        return true;
    for (char *c = log; *c; c++)
        if (*c == '\n')
            *c = ' ';
    complain(p, "refused", log);
    return false;
}

static void compare_cases(const struct ptx_part *p, const uint64_t *got)
{
    uint64_t mask = ptx_part_mask(p);
    char text[300];

    for (unsigned i = 0; i < p->cases; i++)
        if ((got[i] ^ p->out[i]) & mask) {
            snprintf(text, sizeof text, "case %u (0x%llx 0x%llx 0x%llx): 0x%llx, not 0x%llx", i + 1,
                     (unsigned long long)p->in[i][0], (unsigned long long)p->in[i][1],
                     (unsigned long long)p->in[i][2], (unsigned long long)(got[i] & mask),
                     (unsigned long long)(p->out[i] & mask));
            complain(p, "differs", text);
        }
}

static void compare_words(const struct ptx_part *p, const uint32_t *got)
{
    char text[100];

    for (unsigned i = 0; i < p->n_out; i++)
        if (got[i] != p->words_out[i]) {
            snprintf(text, sizeof text, "word %u: 0x%x, not 0x%x", i, got[i], p->words_out[i]);
            complain(p, "differs", text);
        }
}

static void run(const struct ptx_part *p, CUfunction kernel)
{
    static uint64_t got[PTX_PART_WORDS];
    size_t out_bytes = p->kernel ? 4 * (size_t)p->n_out : 8 * (size_t)p->cases;
    CUdeviceptr in = p->kernel ? buffer(p->words_in, 4 * (size_t)p->n_in)
                               : buffer(p->in, sizeof p->in[0] * p->cases);
    CUdeviceptr out = buffer(NULL, out_bytes);
    void *params[] = {&in, &out};
    const char *name = "none";

    good(cuLaunchKernel(kernel, p->kernel ? p->grid : 1, 1, 1, p->kernel ? p->block : p->cases, 1,
                        1, 0, NULL, params, NULL),
         progress->where);
    CUresult r = cuCtxSynchronize();
    if (r != CUDA_SUCCESS)
        cuGetErrorName(r, &name);
    if ((r != CUDA_SUCCESS) != (p->trap[0] != 0))
        complain(p, "ends", p->trap[0] ? "no fault" : name);
    if (r != CUDA_SUCCESS) {
        alarm(0); // what follows takes time, too
        exit(3);  // no call works after a fault; the next process goes on
    }
    if (!p->trap[0])
        good(cuMemcpyDtoH(got, out, out_bytes ? out_bytes : 4), "cuMemcpyDtoH");
    if (!p->trap[0] && p->kernel)
        compare_words(p, (const uint32_t *)got);
    else if (!p->trap[0])
        compare_cases(p, got);
    cuMemFree(in);
    cuMemFree(out);
}

static void check_part(const struct ptx_part *p, void *context)
{
    CUmodule module;
    CUfunction kernel;

    (void)context;
    if (seen++ < skip)
        return;
    progress->parts++;
    snprintf(progress->where, sizeof progress->where, "%s:%d", p->file, p->line);
    alarm(PATIENCE);
    if (!load(p, &module, &kernel))
        return;
    run(p, kernel);
    cuModuleUnload(module);
}

static int run_files(int n, char **files)
{
    char why[400];

    open_device();
    for (int i = 0; i < n; i++)
        if (!ptx_parts_read(files[i], check_part, NULL, why, sizeof why)) {
            fprintf(stderr, "values: %s\n", why);
            return 2;
        }
    return 0;
}

// Processes run the programs, one after the other: each until a fault ends it.
static int check_files(int n, char **files)
{
    progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED) {
        perror("values");
        return 2;
    }
    for (;;) {
        unsigned long before = progress->parts;
        int status;
        pid_t child = fork();

        if (child == 0) {
            skip = before;
            exit(run_files(n, files));
        }
        if (child < 0 || waitpid(child, &status, 0) != child) {
            perror("values");
            return 2;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        if (progress->parts == before || (WIFEXITED(status) && WEXITSTATUS(status) != 3))
            return 2; // it has said why, or the driver does not even start
        if (WIFSIGNALED(status)) {
            printf("%s %s\n", WTERMSIG(status) == SIGALRM ? "hangs" : "dies", progress->where);
            fflush(stdout); // or the next process would print it again
            progress->complaints++;
        }
    }
    printf("%lu programs, %lu complaints\n", progress->parts, progress->complaints);
    return progress->complaints != 0;
}

// --- approximate functions

static const char *const functions[] = {
    "rcp.approx.f32",   "rcp.approx.ftz.f32",   "sqrt.approx.f32", "sqrt.approx.ftz.f32",
    "rsqrt.approx.f32", "rsqrt.approx.ftz.f32", "ex2.approx.f32",  "ex2.approx.ftz.f32",
    "lg2.approx.f32",   "lg2.approx.ftz.f32",   "sin.approx.f32",  "sin.approx.ftz.f32",
    "cos.approx.f32",   "cos.approx.ftz.f32",   "tanh.approx.f32",
};

// The kernel of a module that writes the function of n floats, `step` apart in their bits.
static CUfunction approximate(const char *function, CUmodule *module)
{
    char text[2000];
    CUfunction kernel;

    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_75\n.address_size 64\n"
             ".visible .entry test(.param .u64 out, .param .u32 n, .param .u32 step)\n{\n"
             ".reg .b32 %%r<8>;\n.reg .b64 %%rd<4>;\n.reg .f32 %%f<4>;\n.reg .pred %%p;\n"
             "ld.param.u64 %%rd0, [out];\nld.param.u32 %%r0, [n];\nld.param.u32 %%r1, [step];\n"
             "mov.u32 %%r2, %%ctaid.x;\nmov.u32 %%r3, %%ntid.x;\nmov.u32 %%r4, %%tid.x;\n"
             "mad.lo.u32 %%r2, %%r2, %%r3, %%r4;\nsetp.ge.u32 %%p, %%r2, %%r0;\n@%%p ret;\n"
             "mul.lo.u32 %%r3, %%r2, %%r1;\nmov.b32 %%f0, %%r3;\n%s %%f1, %%f0;\n"
             "mad.wide.u32 %%rd0, %%r2, 4, %%rd0;\nst.global.f32 [%%rd0], %%f1;\nret;\n}\n",
             function);
    good(cuModuleLoadData(module, text), function);
    good(cuModuleGetFunction(&kernel, *module, "test"), function);
    return kernel;
}

static int print_approximate(uint32_t step)
{
    uint32_t n = UINT32_MAX / step + 1;
    uint32_t *got = malloc(4 * (size_t)n);

    if (!got) {
        fprintf(stderr, "values: no memory for %u results\n", n);
        return 2;
    }
    open_device();
    CUdeviceptr out = buffer(NULL, 4 * (size_t)n);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *params[] = {&out, &n, &step};
        CUmodule module;
        CUfunction kernel = approximate(functions[i], &module);

        good(cuLaunchKernel(kernel, (n + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, params, NULL),
             functions[i]);
        good(cuMemcpyDtoH(got, out, 4 * (size_t)n), functions[i]);
        good(cuModuleUnload(module), functions[i]);
        for (uint32_t k = 0; k < n; k++)
            printf("%s %08x %08x\n", functions[i], k * step, got[k]);
    }
    free(got);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned long step = argc == 3 && !strcmp(argv[1], "--approx") ? strtoul(argv[2], NULL, 0) : 0;

    if (step >= 256 && step <= UINT32_MAX)
        return print_approximate((uint32_t)step);
    if (argc < 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: values FILE.t... | values --approx STEP (from 256 on)\n");
        return 2;
    }
    return check_files(argc - 1, argv + 1);
}
