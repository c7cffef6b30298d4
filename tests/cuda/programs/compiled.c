// compiled.c - asks a run-time compiler for machine code and loads what it gets.
#include <stdio.h>
#include <stdlib.h>

extern int nvrtcGetCUBINSize(void *program, size_t *bytes);
extern int nvrtcGetCUBIN(void *program, char *code);
extern int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
extern int cuModuleLoadData(void **, const void *);
extern int cuModuleGetFunction(void **, void *, const char *);

int main(int argc, char **argv)
{
    void *context, *module, *f, *kind = argv[argc > 1];
    size_t n = 0;

    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context))
        return 1;
    if (nvrtcGetCUBINSize(kind, &n))
        return 2;
    if (!n) {
        puts("no machine code");
        return 0;
    }
    char *code = malloc(n);
    if (!code || nvrtcGetCUBIN(kind, code))
        return 3;
    int r = cuModuleLoadData(&module, code);
    free(code);
    if (r) {
        printf("%zu bytes, refused: %d\n", n, r);
        return 4;
    }
    r = cuModuleGetFunction(&f, module, "nothing");
    printf("%zu bytes, kernel: %d\n", n, r);
    return 0;
}
