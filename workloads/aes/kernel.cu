// AES encryption with a key of 128 bits. A thread has one of the four words of an AES block; a round
// takes one byte of each of the four, so that words pass through shared memory, with a barrier for
// every round. Substitution, rotation and mixing of a byte are one table look-up. The tables are
// constants, which a block of threads copies to shared memory; the words of the key come through a
// texture.

#define THREADS 256
#define ROUNDS 10

extern "C" {
__constant__ unsigned aes_tables[4][256]; // what byte 0, 1, 2, 3 of a word contributes to a word
}

// Byte i of a word in shared memory.
__device__ static inline unsigned byte(const unsigned *word, int i)
{
    return ((const unsigned char *)word)[i];
}

extern "C" __global__ void aes_encrypt(const unsigned *plain, unsigned *cipher,
                                       cudaTextureObject_t key)
{
    __shared__ unsigned words[2][THREADS];
    __shared__ unsigned table0[256], table1[256], table2[256], table3[256];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    int column = t % 4, first = t - column; // of the AES block

    words[0][t] = plain[i];
    table0[t] = aes_tables[0][t];
    table1[t] = aes_tables[1][t];
    table2[t] = aes_tables[2][t];
    table3[t] = aes_tables[3][t];
    __syncthreads();
    words[1][t] = words[0][t] ^ tex1Dfetch<unsigned>(key, column);
    __syncthreads();

    // Rows of the state are rotated: byte n comes from the n-th word to the right.
    int right1 = first + (column + 1) % 4, right2 = first + (column + 2) % 4;
    int right3 = first + (column + 3) % 4;
#pragma unroll
    for (int round = 1; round < ROUNDS; round++) {
        const unsigned *now = words[round % 2];
        unsigned word = table0[byte(&now[t], 0)] ^ table1[byte(&now[right1], 1)] ^
                        table2[byte(&now[right2], 2)] ^ table3[byte(&now[right3], 3)];
        words[(round + 1) % 2][t] = word ^ tex1Dfetch<unsigned>(key, 4 * round + column);
        __syncthreads();
    }
    // The last round only substitutes; byte 1 of table 0 is the substitute itself.
    const unsigned *now = words[ROUNDS % 2];
    unsigned char *last = (unsigned char *)&words[(ROUNDS + 1) % 2][t];
    unsigned k = tex1Dfetch<unsigned>(key, 4 * ROUNDS + column);
    last[0] = byte(&table0[byte(&now[t], 0)], 1) ^ k;
    last[1] = byte(&table0[byte(&now[right1], 1)], 1) ^ k >> 8;
    last[2] = byte(&table0[byte(&now[right2], 2)], 1) ^ k >> 16;
    last[3] = byte(&table0[byte(&now[right3], 3)], 1) ^ k >> 24;
    __syncthreads();
    cipher[i] = words[(ROUNDS + 1) % 2][t];
}
