// Tests of compression: which clients get it, and that zlib restores the same bytes, also in the middle of a stream.
#include "support/check.h"
#include "web/http/packing.h"

#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

static void test_accepted(void **state)
{
    (void)state;
    static const char *const yes[] = {"gzip",       "GZIP", "deflate, gzip, br", "br;q=1.0, gzip;q=0.8", "gzip;q=0.01",
                                      "gzip ; q=1", " gzip"};
    static const char *const no[] = {"", "identity", "gzip;q=0", "gzip; q=0.000, br", "x-gzip-2", "gzipped", "*"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
        assert_true(web_packing_accepted(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
        assert_false(web_packing_accepted(no[i]));
    assert_false(web_packing_accepted(NULL));
}

// Restores what has arrived so far. Returns its length.
static size_t restore(z_stream *z, const char *packed, size_t size, char *plain, size_t room)
{
    z->next_in = (const Bytef *)packed;
    z->avail_in = (uInt)size;
    z->next_out = (Bytef *)plain;
    z->avail_out = (uInt)room;
    int code = inflate(z, Z_SYNC_FLUSH);
    assert_true(code == Z_OK || code == Z_STREAM_END || (code == Z_BUF_ERROR && size == 0));
    assert_int_equal(z->avail_in, 0);
    return room - z->avail_out;
}

static void test_answer(void **state)
{
    (void)state;
    char text[20000] = "", again[sizeof text] = "";
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i * i / 7 % 9);
    size_t size = 0;
    char *packed = web_pack(text, sizeof text, &size);
    assert_non_null(packed);
    assert_true(size < sizeof text / 2);
    z_stream z = {0};
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    assert_int_equal(restore(&z, packed, size, again, sizeof again), sizeof text);
    assert_memory_equal(text, again, sizeof text);
    (void)inflateEnd(&z);
    free(packed);
    assert_null(web_pack(text, 1000, &size)); // one packet
}

static void test_random_bytes_stay_as_they_are(void **state)
{
    (void)state;
    char bytes[4000];
    unsigned value = 1;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)((value = value * 1664525u + 1013904223u) >> 24);
    size_t size = 0;
    assert_null(web_pack(bytes, sizeof bytes, &size));
}

// Three messages, with a pause between them.
typedef struct {
    const char *messages[4]; // "" is a pause
    unsigned at;
    size_t sent; // of the message
} Source;

static ssize_t read_source(void *context, char *bytes, size_t size)
{
    Source *source = context;
    if (source->at == 4)
        return -1;
    const char *message = source->messages[source->at] + source->sent;
    size_t left = strlen(message), part = left < size ? left : size;
    memcpy(bytes, message, part);
    source->sent += part;
    if (part == left) {
        source->at++;
        source->sent = 0;
    }
    return (ssize_t)part;
}

static void test_stream(void **state)
{
    (void)state;
    static char large[9000];
    memset(large, 'x', sizeof large - 1);
    for (size_t i = 0; i + 1 < sizeof large; i += 3)
        large[i] = (char)('a' + i % 23);
    Source source = {.messages = {"event: state\ndata: {}\n\n", "", large, "end\n"}};
    WebPacker *packer = web_packer_open(read_source, &source);
    z_stream z = {0};
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    char part[7], plain[sizeof large + 100] = "";
    size_t length = 0;
    ssize_t count = 0;
    unsigned pauses = 0;
    while ((count = web_packer_read(packer, part, sizeof part)) >= 0) {
        if (count == 0) {
            // All of the first message has arrived before the second one is there.
            assert_string_equal(plain, source.messages[0]);
            pauses++;
        }
        length += restore(&z, part, (size_t)count, plain + length, sizeof plain - length);
    }
    assert_int_equal(pauses, 1);
    assert_int_equal(length, strlen(source.messages[0]) + strlen(large) + strlen("end\n"));
    assert_memory_equal(plain + strlen(source.messages[0]), large, strlen(large));
    assert_string_equal(plain + length - 4, "end\n");
    assert_int_equal(web_packer_read(packer, part, sizeof part), -1);
    (void)inflateEnd(&z);
    web_packer_close(packer);
}

TEST_GROUP(web_packing)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_accepted), cmocka_unit_test(test_answer),
                                       cmocka_unit_test(test_random_bytes_stay_as_they_are),
                                       cmocka_unit_test(test_stream)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
