// compiler.c - what stands for a run-time compiler: a "program" is a word, its code is fixed. Like
// NVIDIA's it asks the driver for a private table and does without.
#include <string.h>

extern int cuGetExportTable(const void **, const void *);

static const char ptx[] = ".version 6.4\n.target sm_75\n.address_size 64\n"
                          ".visible .entry nothing() { ret; }\n";
static const char cubin[64] = "\177ELF\002\001\001";

int nvrtcGetPTXSize(const char *program, size_t *bytes)
{
    *bytes = !strcmp(program, "linked") ? 1 : sizeof ptx;
    return !strcmp(program, "linked") ? 9 : 0;
}

int nvrtcGetPTX(const char *program, char *code)
{
    (void)program;
    memcpy(code, ptx, sizeof ptx);
    return 0;
}

int nvrtcGetCUBINSize(const char *program, size_t *bytes)
{
    const void *table;

    if (!cuGetExportTable(&table, "0123456789abcdef"))
        return 11;
    *bytes = !strcmp(program, "virtual") ? 0 : sizeof cubin;
    return !strcmp(program, "uncompiled") ? 7 : 0;
}

int nvrtcGetCUBIN(const char *program, char *code)
{
    (void)program;
    memcpy(code, cubin, sizeof cubin);
    return 0;
}
