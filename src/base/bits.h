// Scanning 64-bit words; unlike the compiler's builtins, defined for zero too.
#pragma once

#include <stdint.h>

// Index of the lowest set bit, 64 for none.
static inline unsigned bits_lowest(uint64_t word)
{
    return word != 0 ? (unsigned)__builtin_ctzll(word) : 64;
}

// Number of zeros above the highest set bit, 64 for none.
static inline unsigned bits_leading_zeros(uint64_t word)
{
    return word != 0 ? (unsigned)__builtin_clzll(word) : 64;
}

static inline unsigned bits_count(uint64_t word)
{
    return (unsigned)__builtin_popcountll(word);
}

// The lowest n bits set, n from 0 to 64.
static inline uint64_t bits_low(unsigned n)
{
    return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

// The set bits and all bits within `reach` positions of one.
static inline uint64_t bits_spread(uint64_t bits, unsigned reach)
{
    for (unsigned done = 0; done < reach;) {
        unsigned step = done + 1 < reach - done ? done + 1 : reach - done;
        bits |= bits << step | bits >> step;
        done += step;
    }
    return bits;
}

// The length of the run of set bits directly above bit `at`, and directly below it. The zeros that are shifted in end
// the run, so the scanned word is never zero.
static inline unsigned bits_run_above(uint64_t bits, unsigned at)
{
    return (unsigned)__builtin_ctzll(~(bits >> at >> 1));
}

static inline unsigned bits_run_below(uint64_t bits, unsigned at)
{
    return (unsigned)__builtin_clzll(~(bits << (63 - at) << 1));
}
