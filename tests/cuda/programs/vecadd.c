// vecadd.c - a program that knows the driver API by its public names only: it declares what it
// calls.
#include <stdio.h>
#include <stdlib.h>

extern int cuInit(unsigned);
extern int cuDeviceGet(int *, int);
extern int cuDeviceGetName(char *, int, int);
extern int cuCtxCreate_v2(void **, unsigned, int);
extern int cuCtxDestroy_v2(void *);
extern int cuModuleLoadData(void **, const void *);
extern int cuModuleGetFunction(void **, void *, const char *);
extern int cuMemAlloc_v2(unsigned long long *, size_t);
extern int cuMemFree_v2(unsigned long long);
extern int cuMemcpyHtoD_v2(unsigned long long, const void *, size_t);
extern int cuMemcpyDtoH_v2(void *, unsigned long long, size_t);
extern int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, void *, void **, void **);
extern int cuCtxSynchronize(void);
extern int cuGetErrorName(int, const char **);

#define CALL(x)                                                                                    \
    do {                                                                                           \
        int e = (x);                                                                               \
        const char *name = "?";                                                                    \
        if (e) {                                                                                   \
            cuGetErrorName(e, &name);                                                              \
            printf("%s: %s\n", #x, name);                                                          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<10>;\n.reg .f32 %f<4>;\n"
    "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u64 %rd3, [c];\n"
    "ld.param.u32 %r1, [n];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
    "mov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\nsetp.ge.s32 %p1, %r5, %r1;\n"
    "@%p1 bra DONE;\ncvta.to.global.u64 %rd4, %rd1;\nmul.wide.s32 %rd5, %r5, 4;\n"
    "add.s64 %rd6, %rd4, %rd5;\nadd.s64 %rd7, %rd2, %rd5;\nadd.s64 %rd8, %rd3, %rd5;\n"
    "ld.global.f32 %f1, [%rd6];\nld.global.f32 %f2, [%rd7];\nadd.f32 %f3, %f1, %f2;\n"
    "st.global.f32 [%rd8], %f3;\nDONE:\nret;\n}\n";

int main(void)
{
    enum { N = 1000 };
    float a[N], b[N], c[N];
    unsigned long long da, db, dc;
    int device, n = N;
    char name[64];
    void *context, *module, *add;

    CALL(cuInit(0));
    CALL(cuDeviceGet(&device, 0));
    CALL(cuDeviceGetName(name, sizeof name, device));
    CALL(cuCtxCreate_v2(&context, 0, device));
    CALL(cuModuleLoadData(&module, ptx));
    CALL(cuModuleGetFunction(&add, module, "add"));
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = (float)(2 * i);
    }
    CALL(cuMemAlloc_v2(&da, sizeof a));
    CALL(cuMemAlloc_v2(&db, sizeof b));
    CALL(cuMemAlloc_v2(&dc, sizeof c));
    CALL(cuMemcpyHtoD_v2(da, a, sizeof a));
    CALL(cuMemcpyHtoD_v2(db, b, sizeof b));
    void *params[] = {&da, &db, &dc, &n};
    CALL(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, NULL, params, NULL));
    CALL(cuCtxSynchronize());
    CALL(cuMemcpyDtoH_v2(c, dc, sizeof c));
    for (int i = 0; i < N; i++)
        if (c[i] != (float)(3 * i)) {
            printf("element %d is %g\n", i, (double)c[i]);
            return 1;
        }
    CALL(cuMemFree_v2(da));
    CALL(cuMemFree_v2(db));
    CALL(cuMemFree_v2(dc));
    CALL(cuCtxDestroy_v2(context));
    printf("%d sums on %s\n", N, name);
    return 0;
}
