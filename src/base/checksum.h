// A checksum that finds damaged bytes.
#pragma once

#include "base/text.h"

// CRC-32 as in ISO 3309 and PNG: polynomial 0x04c11db7, bits reflected, begun and ended with all bits inverted.
uint32_t checksum_crc32(Span bytes);
