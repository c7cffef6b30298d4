// virtuals.cu - classes with virtual functions, some made by new, several bases, pointers to members.
#include "corpus.h"

struct shape {
    __device__ virtual ~shape() {}
    __device__ virtual int area() const = 0;
    __device__ virtual int sides() const { return 0; }
    int tag;
};
struct named {
    __device__ virtual int name() const { return 100; }
    int padding;
};
struct square : shape {
    int a;
    __device__ square(int a) : a(a) { tag = 1; }
    __device__ int area() const override { return a * a; }
    __device__ int sides() const override { return 4; }
};
struct box : shape, named {
    int a, b;
    __device__ box(int a, int b) : a(a), b(b) { tag = 2, padding = a; }
    __device__ int area() const override { return a * b; }
    __device__ int sides() const override { return 4; }
    __device__ int name() const override { return padding + b; }
};
struct circle : shape {
    int r;
    __device__ circle(int r) : r(r) { tag = 3; }
    __device__ int area() const override { return 3 * r * r; }
};

PROGRAM(corpus, 2, 32, 7)
{
    int a = (int)(draw(1) & 63), b = (int)(draw(2) & 63);
    shape *all[3];

    square here(a);
    all[0] = &here;
    all[1] = new box(a, b);
    all[2] = new circle(b);
    shape *one = all[draw(3) % 3];
    U32(one->area()), U32(one->sides()), U32(one->tag);
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += all[i]->area() * (i + 1) + all[i]->sides();
    U32(sum);
    named *n = static_cast<box *>(all[1]);
    U32(n->name());
    int (shape::*which)() const = draw(4) & 1 ? &shape::area : &shape::sides;
    U32((all[threadIdx.x % 3]->*which)());
    int box::*member = draw(5) & 1 ? &box::a : &box::b;
    U32(static_cast<box *>(all[1])->*member);
    delete all[1];
    delete all[2];
}
