// standalone.c - one workload as a program of its own, for NVIDIA's driver: make workloads-real.
//
//   real [test|small|paper] [SEED] [FILE.ptx]
//
// Without a file: workloads/NAME/NAME.sm_75.ptx, seen from where it is started. Exit status 0 if
// the results are as expected, 1 if not, 2 if it could not run. With LAUNCH_TIMES=FILE a line
// "kernel,NAME,LAUNCH,MICROSECONDS,us" for each launch is added to that file (docs/hardware.md).
#include "workload/workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct hd_workload HD_WORKLOAD;

static bool compare(const struct hd_work_check *c)
{
    struct hd_check check = hd_work_check(c);

    hd_check_compare(&check, c->got);
    if (check.differ)
        printf("%s: %llu of %llu differ; the first is %llu: %s, expected %s\n", c->name,
               (unsigned long long)check.differ, (unsigned long long)check.elements,
               (unsigned long long)check.first, check.got_text, check.wanted_text);
    return !check.differ;
}

static int finish(struct hd_work *w)
{
    const char *error = NULL;
    bool good = w->error == CUDA_SUCCESS;

    if (!good) {
        cuGetErrorName(w->error, &error);
        fprintf(stderr, "%s: %s returned %s\n", HD_WORKLOAD.name, w->failed,
                error ? error : "an unknown error");
        return 2;
    }
    for (unsigned i = 0; i < w->n_checks; i++)
        good = compare(&w->checks[i]) && good;
    puts(good ? "results verified" : "results differ");
    return good ? 0 : 1;
}

// The times of all launches, which have ended.
static void write_times(struct hd_work *w, const char *path)
{
    FILE *f = fopen(path, "a");

    for (size_t i = 0; f && i < w->n_times; i++)
        fprintf(f, "kernel,%s,%zu,%.3f,us\n", HD_WORKLOAD.name, i, hd_work_took(w, i));
    if (!f || fclose(f)) {
        perror(path);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    static const char *const sizes[HD_WORK_SIZES] = {"test", "small", "paper"};
    const char *size = argc > 1 ? argv[1] : "small", *times = getenv("LAUNCH_TIMES");
    struct hd_work w = {.arena = hd_arena_new(),
                        .timed = times,
                        .seed = argc > 2 ? strtoull(argv[2], NULL, 10) : HD_WORKLOADS_SEED};
    unsigned i = 0;

    while (i < HD_WORK_SIZES && strcmp(sizes[i], size) != 0)
        i++;
    if (i == HD_WORK_SIZES || argc > 4) {
        fprintf(stderr, "usage: %s [test|small|paper] [SEED] [FILE.ptx]\n", argv[0]);
        return 2;
    }
    w.size = (enum hd_work_size)i;
    const char *folder = HD_WORKLOAD.folder ? HD_WORKLOAD.folder : HD_WORKLOAD.name;
    hd_work_start(&w, argc > 3
                          ? argv[3]
                          : hd_arena_printf(w.arena, "workloads/%s/%s.sm_75.ptx", folder, folder));
    if (w.error == CUDA_SUCCESS)
        HD_WORKLOAD.run(&w);
    int status = finish(&w);
    if (times && status == 0)
        write_times(&w, times);
    hd_work_end(&w);
    hd_arena_free(w.arena);
    return status;
}
