// main.c - the C half: see kernel.cu.
#include <stdio.h>

#ifdef __NVCC__
#error "gcc compiles this"
#endif

int add_on_device(int argc, const char **argv, int *values, int n);
void fail_on_device(void);

int main(int argc, const char **argv)
{
    int values[100], wrong = 0;

    for (int i = 0; i < 100; i++)
        values[i] = i;
    if (add_on_device(argc, argv, values, 100))
        return 1;
    for (int i = 0; i < 100; i++)
        wrong += values[i] != 3 * i;
    printf("%d wrong\n", wrong);
    fflush(stdout);
    fail_on_device();
    return 0;
}
