// test_ipc.c - memory and events of another process: this program forks before it has a device.
#include "shared/world.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 5000
#define RIGHT 21

struct shared { // between the processes
    CUipcMemHandle memory[2];
    CUipcEventHandle event;
    CUdeviceptr first;
};

static void scale(CUdeviceptr x, int factor) // and add 7; N / 50 blocks of 50
{
    void *params[] = {&x, &factor};

    OK(cuLaunchKernel(world_function("scale"), N / 50, 1, 1, 50, 1, 1, 0, NULL, params, NULL));
}

static void wait_for(int pipe_end)
{
    char c = 0;

    assert_int_equal(read(pipe_end, &c, 1), 1);
}

static void tell(int pipe_end)
{
    assert_int_equal(write(pipe_end, "x", 1), 1);
}

// What the child does; assertions of cmocka are the parent's, so it says how far it came.
static int child(struct shared *s, int from, int to)
{
    CUdeviceptr a, b;
    CUevent e;
    int v[N], got[2] = {0};
    char c;

    if (read(from, &c, 1) != 1)
        return 1;
    world_begin(NULL);
    if (cuIpcOpenMemHandle(&a, s->memory[0], 0) != CUDA_ERROR_INVALID_VALUE)
        return 2;
    if (cuIpcOpenMemHandle(&a, s->memory[0], CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) ||
        cuIpcOpenMemHandle(&b, s->memory[1], CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS))
        return 3;
    if (cuIpcOpenEventHandle(&e, s->event) || cuStreamWaitEvent(NULL, e, 0) || cuEventQuery(e))
        return 4;
    if (cuMemcpyDtoH(v, a, sizeof v) || v[0] != 10 || v[N - 1] != 10)
        return 5;
    if (cuMemcpyDtoH(got, b, sizeof got) || got[0] != 77 || got[1] != 78)
        return 6;
    scale(a, 3); // the other process's memory, by a kernel of this one
    if (cuCtxSynchronize() || cuMemsetD32(b, 99, 1))
        return 7;
    if (cuMemcpyDtoH(v, a + sizeof v, 256) == CUDA_SUCCESS) // behind it
        return 8;
    if (cuMemFree(a) != CUDA_ERROR_INVALID_VALUE || cuIpcCloseMemHandle(b) ||
        cuIpcCloseMemHandle(b) != CUDA_ERROR_INVALID_VALUE || !cuMemsetD32(b, 1, 1))
        return 9;
    s->memory[1].reserved[3] ^= 1;
    if (cuIpcOpenMemHandle(&b, s->memory[1], 1) != CUDA_ERROR_INVALID_HANDLE)
        return 10;
    if (write(to, "x", 1) != 1 || read(from, &c, 1) != 1) // the parent frees it
        return 11;
    if (cuIpcOpenMemHandle(&b, s->memory[0], 1) != CUDA_SUCCESS || cuIpcCloseMemHandle(b))
        return 12;
    world_end(NULL);
    return RIGHT;
}

static void between_processes(void **state)
{
    struct shared *s =
        mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int down[2], up[2], status = 0, v[N], two[] = {77, 78};
    CUdeviceptr small, x;
    CUevent e;
    pid_t who;

    (void)state;
    assert_true(s != MAP_FAILED && !pipe(down) && !pipe(up));
    who = fork();
    assert_true(who >= 0);
    if (!who)
        _exit(child(s, down[0], up[1]));
    world_begin(NULL);
    for (int i = 0; i < N; i++)
        v[i] = 1;
    small = world_filled(two, 2); // in one page of the host with what follows
    x = world_filled(v, N);
    OK(cuEventCreate(&e, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
    OK(cuIpcGetMemHandle(&s->memory[0], x));
    OK(cuIpcGetMemHandle(&s->memory[1], small));
    OK(cuIpcGetEventHandle(&s->event, e));
    scale(x, 3);
    OK(cuEventRecord(e, NULL)); // what is queued before it has happened now
    FAILS(INVALID_CONTEXT, cuIpcOpenMemHandle(&s->first, s->memory[0], 1));
    FAILS(INVALID_CONTEXT, cuIpcOpenEventHandle(&e, s->event));
    tell(down[1]);
    wait_for(up[0]);
    OK(cuMemcpyDtoH(v, x, sizeof v));
    assert_true(v[0] == 37 && v[N - 1] == 37);
    OK(cuMemcpyDtoH(two, small, sizeof two));
    assert_true(two[0] == 99 && two[1] == 78);
    OK(cuMemFree(x));
    tell(down[1]);
    assert_int_equal(waitpid(who, &status, 0), who);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), RIGHT);
    OK(cuMemcpyDtoH(two, small, sizeof two));
    assert_int_equal(two[1], 78);
    munmap(s, sizeof *s);
    world_end(NULL);
}

static void refused(void **state)
{
    CUipcMemHandle m = {{0}};
    CUipcEventHandle h = {{0}};
    CUdeviceptr p, managed, pool;
    CUevent plain, e;
    int unified;

    (void)state;
    OK(cuMemAlloc(&p, 1000));
    OK(cuDeviceGetAttribute(&unified, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 0));
    if (unified) { // else there is no managed memory
        OK(cuMemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL));
        FAILS(INVALID_VALUE, cuIpcGetMemHandle(&m, managed));
    }
    OK(cuMemAllocAsync(&pool, 1000, NULL));
    FAILS(INVALID_VALUE, cuIpcGetMemHandle(&m, p + 256));
    FAILS(INVALID_VALUE, cuIpcGetMemHandle(&m, pool));
    FAILS(INVALID_VALUE, cuIpcGetMemHandle(NULL, p));
    FAILS(INVALID_HANDLE, cuIpcOpenMemHandle(&p, m, 1));
    FAILS(INVALID_VALUE, cuIpcCloseMemHandle(p));
    FAILS(INVALID_VALUE, cuEventCreate(&e, CU_EVENT_INTERPROCESS));
    OK(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
    FAILS(INVALID_VALUE, cuIpcGetEventHandle(&h, plain));
    FAILS(INVALID_HANDLE, cuIpcGetEventHandle(&h, NULL));
    FAILS(INVALID_HANDLE, cuIpcOpenEventHandle(&e, h));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(between_processes),
        cmocka_unit_test_setup_teardown(refused, world_begin, world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
