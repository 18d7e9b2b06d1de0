// Compression (gzip) of answers and event streams, for clients that accept it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Whether an Accept-Encoding header (NULL: none) accepts gzip.
bool web_packing_accepted(const char *header);

// The whole text as gzip, which the caller frees. NULL if it fits into one packet or would not be smaller.
char *web_pack(const char *bytes, size_t size, size_t *packed_size);

// A stream that is compressed while it is sent: each part can be read by the client as soon as it has arrived.
typedef struct WebPacker WebPacker;

// Where the plain bytes come from: how many were written, 0: none now, -1: the stream has ended.
typedef ssize_t WebPackerRead(void *context, char *bytes, size_t size);

WebPacker *web_packer_open(WebPackerRead *read, void *context);
void web_packer_close(WebPacker *packer); // NULL is allowed

// The next compressed bytes, at most `size`; the same values as WebPackerRead.
ssize_t web_packer_read(WebPacker *packer, char *bytes, size_t size);
