// The files of the page, embedded into the program from the folder web/.
#pragma once

#include <stddef.h>

typedef struct {
    const char *path; // in the URL
    const char *type; // of its content
    const char *tag;  // changes with the content
    const unsigned char *bytes;
    size_t size;
    const unsigned char *packed; // the same as gzip
    size_t packed_size;          // 0: not smaller
} WebAsset;

extern const WebAsset web_assets[];
extern const unsigned web_asset_count;
