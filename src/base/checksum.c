// Checksums of bytes.
#include "base/checksum.h"

// The remainders of all 4-bit values for the reflected polynomial 0xedb88320. Two look-ups per byte in a table of 64
// bytes are fast enough for files that are read once.
static const uint32_t remainders[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

uint32_t checksum_crc32(Span bytes)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < bytes.length; i++) {
        sum ^= (unsigned char)bytes.at[i];
        sum = sum >> 4 ^ remainders[sum & 15];
        sum = sum >> 4 ^ remainders[sum & 15];
    }
    return ~sum;
}
