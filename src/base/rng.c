// The random number generator.
#include "base/rng.h"

// splitmix64 (Steele, Lea, Flood 2014): one step of the counter, one mix of its value.
static uint64_t splitmix_next(uint64_t *counter)
{
    *counter += 0x9e3779b97f4a7c15u;
    uint64_t z = *counter;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

Rng rng_make(uint64_t seed)
{
    Rng rng;
    for (int i = 0; i < 4; i++)
        rng.word[i] = splitmix_next(&seed);
    return rng;
}

uint64_t rng_derive(uint64_t master, uint64_t n)
{
    uint64_t counter = master;
    uint64_t mixed = splitmix_next(&counter) ^ n;
    return splitmix_next(&mixed);
}

void rng_shuffle(Rng *rng, void *items, uint32_t count, size_t size)
{
    for (uint32_t i = count; i > 1; i--) {
        unsigned char *one = (unsigned char *)items + (i - 1) * size, *other = (unsigned char *)items;
        other += rng_below(rng, i) * size;
        for (size_t j = 0; j < size; j++) {
            unsigned char swapped = one[j];
            one[j] = other[j];
            other[j] = swapped;
        }
    }
}
