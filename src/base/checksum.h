// A checksum that detects damaged bytes.
#pragma once

#include "base/text.h"

// CRC-32 as in ISO 3309 and PNG: polynomial 0x04c11db7, reflected bits, all bits inverted before and after.
uint32_t checksum_crc32(Span bytes);
