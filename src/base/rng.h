// A seeded random number generator (xoshiro256**, Blackman and Vigna 2018), passed to code that needs randomness.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t word[4];
} Rng;

// Any seed is valid, even 0: splitmix64 expands it to the state.
Rng rng_make(uint64_t seed);

// The seed of item n (game, agent, thread) of a master seed; depends on nothing else.
uint64_t rng_derive(uint64_t master, uint64_t n);

static inline uint64_t rng_rotate(uint64_t word, unsigned by)
{
    return word << by | word >> (64 - by);
}

static inline uint64_t rng_next(Rng *rng)
{
    uint64_t *s = rng->word;
    uint64_t result = rng_rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rng_rotate(s[3], 45);
    return result;
}

// Shuffles `count` items of `size` bytes uniformly.
void rng_shuffle(Rng *rng, void *items, uint32_t count, size_t size);

// A random number from 0 to bound - 1, bound >= 1: the upper half of a product (Lemire 2019), without division or loop.
// The bias is below bound / 2^32, too small to be seen in any sample of games.
static inline uint32_t rng_below(Rng *rng, uint32_t bound)
{
    return (uint32_t)(((rng_next(rng) >> 32) * bound) >> 32);
}
