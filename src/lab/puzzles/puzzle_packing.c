// Compressed proofs in base64.
#include "lab/puzzles/puzzle_packing.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_group(const unsigned char *bytes, size_t count, Text *text)
{
    unsigned long word = (unsigned long)bytes[0] << 16 | (count > 1 ? (unsigned long)bytes[1] << 8 : 0) |
                         (count > 2 ? (unsigned long)bytes[2] : 0);
    char group[4] = {digits[word >> 18 & 63], digits[word >> 12 & 63], digits[word >> 6 & 63], digits[word & 63]};
    for (size_t i = count + 1; i < sizeof group; i++)
        group[i] = '=';
    text_add_span(text, (Span){group, sizeof group});
}

void puzzle_pack(const char *word, Span bytes, Text *text)
{
    uLongf length = compressBound(bytes.length);
    unsigned char *packed = memory_malloc(length);
    int result = compress2(packed, &length, (const unsigned char *)bytes.at, bytes.length, Z_BEST_COMPRESSION);
    if (result == Z_OK) {
        size_t per_line = (size_t)PUZZLE_PACKED_LINE / 4 * 3;
        for (size_t at = 0; at < length; at += 3) {
            if (at % per_line == 0)
                text_add(text, "%s%s", at > 0 ? "\n" : "", word);
            add_group(packed + at, length - at < 3 ? length - at : 3, text);
        }
        text_add(text, "\n");
    }
    free(packed);
}

static bool digit_of(char letter, unsigned long *digit)
{
    const char *at = letter == '\0' ? NULL : strchr(digits, letter);
    *digit = at != NULL ? (unsigned long)(at - digits) : 0;
    return at != NULL;
}

// Decodes base64; false if it is not valid.
static bool decode(Span packed, Text *bytes)
{
    if (packed.length % 4 != 0)
        return false;
    for (size_t at = 0; at < packed.length; at += 4) {
        unsigned long word = 0, digit = 0;
        size_t count = 4;
        if (at + 4 == packed.length)
            while (count > 2 && packed.at[at + count - 1] == '=')
                count--;
        for (size_t i = 0; i < 4; i++) {
            if (i < count && !digit_of(packed.at[at + i], &digit))
                return false;
            word = word << 6 | (i < count ? digit : 0);
        }
        char group[3] = {(char)(word >> 16 & 255), (char)(word >> 8 & 255), (char)(word & 255)};
        text_add_span(bytes, (Span){group, count - 1});
    }
    return true;
}

static bool inflate_all(const Text *packed, Text *bytes)
{
    unsigned char part[4096];
    z_stream stream = {.next_in = (unsigned char *)packed->data, .avail_in = (uInt)packed->length};
    if (inflateInit(&stream) != Z_OK)
        return false;
    int result = Z_OK;
    while (result == Z_OK && bytes->length <= PUZZLE_PROOF_MAX) {
        stream.next_out = part;
        stream.avail_out = sizeof part;
        result = inflate(&stream, Z_NO_FLUSH);
        text_add_span(bytes, (Span){(const char *)part, sizeof part - stream.avail_out});
    }
    bool is_whole = result == Z_STREAM_END && stream.avail_in == 0 && bytes->length <= PUZZLE_PROOF_MAX;
    (void)inflateEnd(&stream);
    return is_whole;
}

Status puzzle_unpack(Span packed, Text *bytes, Error *error)
{
    Text compressed = {0};
    bool is_good = decode(packed, &compressed) && compressed.length > 0 && inflate_all(&compressed, bytes);
    text_close(&compressed);
    if (is_good && bytes->length > 0)
        return STATUS_OK;
    text_close(bytes);
    return error_set(error, STATUS_BAD_INPUT, "the proof is damaged");
}
