// references.h - what operations on values give, computed the slow way, for test_values.c.
#ifndef HEDDLE_TESTS_REFERENCES_H
#define HEDDLE_TESTS_REFERENCES_H

#include "shared/numbers.h"

// One lane of one instruction.
struct lane {
    unsigned type, dtype, mods, space;
    uint64_t a, b, c, e; // registers as they are
    int64_t imm;
    bool q, carry;  // source predicate, condition code
    uint64_t d;     // destination register
    bool p, second; // destination predicates, or the condition code that is left
};

static inline bool is(const char *name, const char *what)
{
    return !strcmp(name, what);
}

static inline bool starts(const char *name, const char *what)
{
    return !strncmp(name, what, strlen(what));
}

static inline wide clamp(wide x, wide low, wide high)
{
    return x < low ? low : x > high ? high : x;
}

// Each computes the lane's results if it knows the operation `name`; false if it does not.
// reference_integers.c: arithmetic of integers, shifts and bit operations, SIMD video; additions
// with carry.
bool reference_integers(const char *name, struct lane *x);
bool reference_carries(const char *name, struct lane *x);
// reference_floats.c: arithmetic of floats and of pairs of floats, of f32 with halves, the least of
// three; conversions of all types.
bool reference_floats(const char *name, struct lane *x);
bool reference_mixed(const char *name, struct lane *x);
bool reference_of_three(const char *name, struct lane *x);
bool reference_conversions(const char *name, struct lane *x);

#endif
