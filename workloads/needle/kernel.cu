// Global alignment of two sequences (Needleman and Wunsch 1970): score[y][x] is the best of an
// alignment of the first y letters of one with the first x of the other. A block of TILE threads does a
// TILE x TILE piece in shared memory, anti-diagonal by anti-diagonal; a launch does the pieces of one
// anti-diagonal of the matrix, which depend on none of each other.

#define TILE 16

__device__ int best(int a, int b, int c)
{
    int most = a > b ? a : b;

    return most > c ? most : c;
}

// The piece whose upper left corner is score[row][column], of which row and column 0 are known.
__device__ void align(const int *similar, int *score, int width, int penalty, int row, int column)
{
    __shared__ int piece[TILE + 1][TILE + 1];
    __shared__ int likeness[TILE][TILE];
    int x = threadIdx.x;
    int corner = width * row + column;

    if (x == 0)
        piece[0][0] = score[corner];
    for (int y = 0; y < TILE; y++)
        likeness[y][x] = similar[corner + width * (y + 1) + x + 1];
    __syncthreads();
    piece[x + 1][0] = score[corner + width * (x + 1)];
    __syncthreads();
    piece[0][x + 1] = score[corner + x + 1];
    __syncthreads();
#pragma unroll 1
    for (int last = 0; last < TILE; last++) { // diagonals from the corner to the middle
        if (x <= last) {
            int c = x + 1, r = last - x + 1;
            piece[r][c] = best(piece[r - 1][c - 1] + likeness[r - 1][c - 1],
                               piece[r][c - 1] - penalty, piece[r - 1][c] - penalty);
        }
        __syncthreads();
    }
#pragma unroll 1
    for (int last = TILE - 2; last >= 0; last--) { // and to the other corner
        if (x <= last) {
            int c = x + TILE - last, r = TILE - x;
            piece[r][c] = best(piece[r - 1][c - 1] + likeness[r - 1][c - 1],
                               piece[r][c - 1] - penalty, piece[r - 1][c] - penalty);
        }
        __syncthreads();
    }
    for (int y = 0; y < TILE; y++)
        score[corner + width * (y + 1) + x + 1] = piece[y + 1][x + 1];
}

// The first `gridDim.x` anti-diagonals of pieces, one a launch.
extern "C" __global__ void upper_left(const int *similar, int *score, int width, int penalty)
{
    int piece = blockIdx.x;

    align(similar, score, width, penalty, (gridDim.x - 1 - piece) * TILE, piece * TILE);
}

// The others: `pieces` is the width of the matrix in pieces.
extern "C" __global__ void lower_right(const int *similar, int *score, int width, int penalty,
                                       int pieces)
{
    int piece = blockIdx.x + pieces - gridDim.x;

    align(similar, score, width, penalty, (pieces - 1 - (int)blockIdx.x) * TILE, piece * TILE);
}
