// polyhash.c - an index hashed by a polynomial. See polyhash.h.
#include "mem/polyhash.h"

// Each row names the address bits whose exclusive or is added to one bit of the index.
uint32_t hd_polyhash_of(uint64_t above, uint32_t index, uint32_t n)
{
    static const uint32_t of_32[] = {0x3e69, 0x7cd2, 0x47cd, 0x0f9a, 0x1f34};
    static const uint32_t of_64[] = {0x79461, 0x0bca3, 0x17946, 0x2f28c, 0x5e518, 0x3ca30};
    const uint32_t *rows = n == 64 ? of_64 : of_32;

    for (unsigned i = 0; 1U << i < n; i++)
        index ^= (uint32_t)__builtin_parityll(above & rows[i]) << i;
    return index;
}
