// wrong.cu - launches that no compiler takes, one for each number WRONG. test_sdk.sh
__device__ void function(int);
__global__ void child(int *p, int n)
{
    p[n] = n;
}
template <class T> __global__ void of_type(T *p, int n = 1)
{
    p[n] = n;
}

__global__ void parent(int *p)
{
#if WRONG == 1
    function<<<1, 1>>>(3);
#elif WRONG == 2
    child<<<1, 1>>>(p);
#elif WRONG == 3
    child<<<1, 1>>>(3, 4);
#elif WRONG == 4
    child<<<1>>>(p, 3);
#elif WRONG == 5
    nothing<<<1, 1>>>(p, 3);
#elif WRONG == 6
    of_type<<<1, 1>>>(3, 4);
#elif WRONG == 7
    child(p, 3);
#elif WRONG == 8
    void (*k)(int *, int) = child;
    k<<<1, 1>>>(p, 3);
#elif WRONG == 9
    child<<<p, 1>>>(p, 3);
#elif WRONG == 10
    of_type<<<1, 1>>>(p);
#endif
}

int main()
{
    parent<<<1, 1>>>(0);
}
