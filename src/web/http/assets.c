// Finds a file of the page by its path.
#include "web/http/assets.h"

#include <string.h>

const WebAsset *web_asset_find(const char *path)
{
    for (unsigned i = 0; i < web_asset_count; i++)
        if (strcmp(web_assets[i].path, path) == 0)
            return &web_assets[i];
    return NULL;
}
