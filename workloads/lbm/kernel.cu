// A fluid in a box by the lattice Boltzmann method: one step of the model D3Q19 (Qian, d'Humieres,
// Lallemand 1992). A cell has 19 numbers, how much moves in each direction. A thread lets those of its
// cell collide and hands each to the neighbour in its direction, so loads are aligned and most stores
// are not. All numbers of a direction are together; a row of 120 cells takes the room of 128.

#define ROW 128
#define LAYER (ROW * 120)
#define MARGIN (2 * LAYER)          // before the first cell and after the last: what leaves the box
#define CELLS (MARGIN + 32 * LAYER + MARGIN)
#define DIRECTIONS 19               // and after them what kind of cell it is
#define WALL 1u
#define DRIVEN 2u                   // moves with the lid
#define OMEGA 1.95f

// Each direction with the velocity along it. Number 0 stays; 1 and 2, 3 and 4, ... are opposite.
#define EACH_DIRECTION(D)                                                                          \
    D(0, 0, 0, 0, 1.0f / 3, 0.0f)                                                                  \
    D(1, 1, 0, 0, 1.0f / 18, x)                                                                    \
    D(2, -1, 0, 0, 1.0f / 18, -x)                                                                  \
    D(3, 0, 1, 0, 1.0f / 18, y)                                                                    \
    D(4, 0, -1, 0, 1.0f / 18, -y)                                                                  \
    D(5, 0, 0, 1, 1.0f / 18, z)                                                                    \
    D(6, 0, 0, -1, 1.0f / 18, -z)                                                                  \
    D(7, 1, 1, 0, 1.0f / 36, x + y)                                                                \
    D(8, -1, -1, 0, 1.0f / 36, -x - y)                                                             \
    D(9, 1, -1, 0, 1.0f / 36, x - y)                                                               \
    D(10, -1, 1, 0, 1.0f / 36, -x + y)                                                             \
    D(11, 1, 0, 1, 1.0f / 36, x + z)                                                               \
    D(12, -1, 0, -1, 1.0f / 36, -x - z)                                                            \
    D(13, 1, 0, -1, 1.0f / 36, x - z)                                                              \
    D(14, -1, 0, 1, 1.0f / 36, -x + z)                                                             \
    D(15, 0, 1, 1, 1.0f / 36, y + z)                                                               \
    D(16, 0, -1, -1, 1.0f / 36, -y - z)                                                            \
    D(17, 0, 1, -1, 1.0f / 36, y - z)                                                              \
    D(18, 0, -1, 1, 1.0f / 36, -y + z)

// What moves against a wall goes back.
__device__ static void turn_round(float *f)
{
#pragma unroll
    for (int i = 1; i < DIRECTIONS; i += 2) {
        float forth = f[i];
        f[i] = f[i + 1];
        f[i + 1] = forth;
    }
}

// Towards the equilibrium of the cell's density and velocity.
__device__ static void collide(float *f, bool driven)
{
    float density = f[0];
#pragma unroll
    for (int i = 1; i < DIRECTIONS; i++)
        density += f[i];
    float x = f[1] - f[2] + f[7] - f[8] + f[9] - f[10] + f[11] - f[12] + f[13] - f[14];
    float y = f[3] - f[4] + f[7] - f[8] - f[9] + f[10] + f[15] - f[16] + f[17] - f[18];
    float z = f[5] - f[6] + f[11] - f[12] - f[13] + f[14] + f[15] - f[16] - f[17] + f[18];
    x /= density;
    y /= density;
    z /= density;
    if (driven) {
        x = 0.005f;
        y = 0.002f;
        z = 0;
    }
    float rest = 1 - 1.5f * (x * x + y * y + z * z);
#define COLLIDE(i, dx, dy, dz, weight, along)                                                      \
    {                                                                                              \
        float a = along;                                                                           \
        f[i] = (1 - OMEGA) * f[i] + OMEGA * weight * density * (rest + a * (3 + 4.5f * a));        \
    }
    EACH_DIRECTION(COLLIDE)
}

extern "C" __global__ void StreamCollide(const float *from, float *to)
{
    int cell = MARGIN + (int)blockIdx.y * LAYER + (int)blockIdx.x * ROW + (int)threadIdx.x;
    float f[DIRECTIONS];

#define LOAD(i, dx, dy, dz, weight, along) f[i] = from[cell + i * CELLS];
    EACH_DIRECTION(LOAD)
    unsigned kind = ((const unsigned *)from)[cell + DIRECTIONS * CELLS];
    if (kind & WALL)
        turn_round(f);
    else
        collide(f, kind & DRIVEN);
#define STORE(i, dx, dy, dz, weight, along)                                                        \
    to[cell + i * CELLS + dz * LAYER + dy * ROW + dx] = f[i];
    EACH_DIRECTION(STORE)
}
