// Electric potential on a plane: each point sums charge / distance over all atoms, which lie in constant
// memory with the square of their height above the plane. A thread has two points, BLOCK_X apart.

#define BLOCK_X 16
#define ATOMS_MAX 4000

struct atom {
    float x, y, height2, charge; // the square of its height
};
extern "C" {
__constant__ struct atom coulomb_atoms[ATOMS_MAX];
}

extern "C" __global__ void coulomb(float *energy, int atoms, float spacing)
{
    int column = blockIdx.x * 2 * BLOCK_X + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int at = row * gridDim.x * 2 * BLOCK_X + column;
    float x = spacing * column, y = spacing * row, apart = spacing * BLOCK_X;
    float sum1 = 0, sum2 = 0;

#pragma unroll 1
    for (int i = 0; i < atoms; i++) {
        const struct atom *a = &coulomb_atoms[i];
        float dy = y - a->y, dx1 = x - a->x, dx2 = dx1 + apart;
        float dyz = dy * dy + a->height2;
        sum1 += a->charge * rsqrtf(dx1 * dx1 + dyz);
        sum2 += a->charge * rsqrtf(dx2 * dx2 + dyz);
    }
    energy[at] += sum1;
    energy[at + BLOCK_X] += sum2;
}
