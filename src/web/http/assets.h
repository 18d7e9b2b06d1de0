// The files of the page, which are part of the program: made of the folder web/ when krow is built.
#pragma once

#include <stddef.h>

typedef struct {
    const char *path; // as a browser asks for it
    const char *type; // of its content
    const char *tag;  // changes with the content
    const unsigned char *bytes;
    size_t size;
} WebAsset;

extern const WebAsset web_assets[];
extern const unsigned web_asset_count;
