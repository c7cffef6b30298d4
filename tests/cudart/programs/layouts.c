// layouts.c - prints size of structures, offset and size of their fields (layouts.def), with
// heddle's header or, with -DTHEIRS, with NVIDIA's of the same major version.
#include <stddef.h>
#include <stdio.h>
#ifdef THEIRS
#include <cuda.h>
#include <cuda_runtime_api.h>
#else
#include "cudart/runtime.h"
#endif

#define S(type) printf("%s %zu\n", #type, sizeof(type));
#define F(type, field)                                                                             \
    printf("  %s %zu %zu\n", #field, offsetof(type, field), sizeof((type *)NULL)->field);

int main(void)
{
#include "layouts.def"
    return 0;
}
