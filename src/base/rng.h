// A small seeded random generator (xoshiro256**, Blackman and Vigna 2018), passed to code that needs randomness.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t word[4];
} Rng;

// Any seed is good, also 0: the state is spread from it by splitmix64.
Rng rng_make(uint64_t seed);

// The seed of the n-th thing (game, agent, thread) of a master seed: depends on both and on nothing else.
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

// Puts `count` items of `size` bytes into a random order, every order as likely as any other.
void rng_shuffle(Rng *rng, void *items, uint32_t count, size_t size);

// A number from 0 to bound - 1, for bound >= 1, by the upper half of a product (Lemire 2019). The bias is below
// bound / 2^32, far under anything a sample of games could show, and there is no division and no loop.
static inline uint32_t rng_below(Rng *rng, uint32_t bound)
{
    return (uint32_t)(((rng_next(rng) >> 32) * bound) >> 32);
}
