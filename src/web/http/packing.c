// Compression with zlib. Answers of one packet are not compressed: they would not arrive sooner.
#include "web/http/packing.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#define ZLIB_CONST
#include <zlib.h>

enum {
    PACKET = 1400,      // bytes; smaller answers are sent as they are
    GZIP = 16,          // added to the window size: zlib then writes the gzip format
    WINDOW = 15,        // log2 of the bytes that a match can reach back
    STREAM_WINDOW = 13, // smaller, since hundreds of streams may be open: 64 kB each
    STREAM_MEMORY = 6,
    MEMORY = 8,
    PLAIN_PART = 4096, // bytes of a stream compressed together
};

struct WebPacker {
    WebPackerRead *read;
    void *context;
    z_stream z;
    bool writes; // compressed bytes of the last part may be left
    bool ended;
    char plain[PLAIN_PART];
};

// --- Accept-Encoding ---

// "gzip;q=0" refuses what "gzip" accepts. No other weight matters, as gzip is all that is offered.
static bool is_refused(const char *parameters, size_t length)
{
    char weight[16] = "";
    const char *q = memchr(parameters, 'q', length);
    if (q == NULL)
        return false;
    size_t left = length - (size_t)(q - parameters);
    (void)memcpy(weight, q, left < sizeof weight ? left : sizeof weight - 1);
    return weight[1] == '=' && weight[2] == '0' && strpbrk(weight, "123456789") == NULL;
}

bool web_packing_accepted(const char *header)
{
    static const char name[] = "gzip";
    for (const char *at = header != NULL ? header : ""; *at != '\0';) {
        at += strspn(at, ", \t");
        size_t length = strcspn(at, ","), word = strcspn(at, ",; \t");
        if (word == strlen(name) && strncasecmp(at, name, word) == 0)
            return !is_refused(at + word, length - word);
        at += length;
    }
    return false;
}

// --- Whole answers ---

char *web_pack(const char *bytes, size_t size, size_t *packed_size)
{
    z_stream z = {0};
    if (size <= PACKET || size > UINT32_MAX / 2 ||
        deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, WINDOW + GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    char *packed = memory_malloc(size);
    z.next_in = (const Bytef *)bytes;
    z.avail_in = (uInt)size;
    z.next_out = (Bytef *)packed;
    z.avail_out = (uInt)(size - 1);
    bool fits = deflate(&z, Z_FINISH) == Z_STREAM_END;
    *packed_size = size - 1 - z.avail_out;
    (void)deflateEnd(&z);
    if (fits)
        return packed;
    free(packed);
    return NULL;
}

// --- Streams ---

WebPacker *web_packer_open(WebPackerRead *read, void *context)
{
    WebPacker *packer = memory_new(1, sizeof *packer);
    packer->read = read;
    packer->context = context;
    if (deflateInit2(&packer->z, Z_BEST_SPEED, Z_DEFLATED, STREAM_WINDOW + GZIP, STREAM_MEMORY, Z_DEFAULT_STRATEGY) ==
        Z_OK)
        return packer;
    free(packer);
    return NULL;
}

void web_packer_close(WebPacker *packer)
{
    if (packer == NULL)
        return;
    (void)deflateEnd(&packer->z);
    free(packer);
}

ssize_t web_packer_read(WebPacker *packer, char *bytes, size_t size)
{
    z_stream *z = &packer->z;
    for (;;) {
        if (!packer->writes) {
            ssize_t count = packer->ended ? -1 : packer->read(packer->context, packer->plain, sizeof packer->plain);
            if (count == 0 || packer->ended)
                return count;
            packer->ended = count < 0;
            z->next_in = (const Bytef *)packer->plain;
            z->avail_in = count > 0 ? (uInt)count : 0;
        }
        z->next_out = (Bytef *)bytes;
        z->avail_out = (uInt)size;
        (void)deflate(z, packer->ended ? Z_FINISH : Z_SYNC_FLUSH);
        packer->writes = z->avail_out == 0;
        if (z->avail_out < size)
            return (ssize_t)(size - z->avail_out);
    }
}
