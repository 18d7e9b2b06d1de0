// Identifies a build by its bench signature and weights, so that a worker only plays jobs of an equal build.
#include "lab/jobs/build_identity.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "engine/eval/weights.h"
#include "match/signature.h"
#include "store/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAM_MAX = 256 << 20, KEPT_MAX = 256, KEY_SIZE = 64 };

// Length and checksum of the running program; false if it cannot be read.
static bool key_of_program(char key[KEY_SIZE])
{
    Text program = {0};
    bool good = file_read("/proc/self/exe", PROGRAM_MAX, &program, NULL) == STATUS_OK;
    if (good)
        (void)snprintf(key, KEY_SIZE, "%zu %08x ", program.length,
                       (unsigned)checksum_crc32((Span){program.data, program.length}));
    text_close(&program);
    return good;
}

static bool read_kept(const char *path, const char *key, uint64_t *signature)
{
    Text kept = {0};
    char *end = NULL;
    bool good = file_read(path, KEPT_MAX, &kept, NULL) == STATUS_OK && kept.data != NULL &&
                strncmp(kept.data, key, strlen(key)) == 0;
    if (good)
        *signature = strtoull(kept.data + strlen(key), &end, 16);
    good = good && end == kept.data + strlen(key) + 16 && *end == '\n';
    text_close(&kept);
    return good;
}

uint64_t build_signature(void)
{
    char key[KEY_SIZE], line[KEY_SIZE + 24];
    Text path = {0};
    uint64_t signature = 0;
    bool can_keep = key_of_program(key) && path_of(PATH_STATE, "signature", &path, NULL) == STATUS_OK;
    if (!can_keep || !read_kept(path.data, key, &signature)) {
        signature = signature_build();
        // If this fails, the next process computes it again.
        if (can_keep) {
            (void)snprintf(line, sizeof line, "%s%016llx\n", key, (unsigned long long)signature);
            (void)file_write(path.data, span_of(line), NULL);
        }
    }
    text_close(&path);
    return signature;
}

// 0 if there are no weights for these rules.
static unsigned weights_checksum(const Rules *rules)
{
    unsigned sum = 0;
    Weights *weights = memory_new(1, sizeof *weights);
    if (weights_read(weights, "", rules, NULL) == STATUS_OK)
        sum = (unsigned)checksum_crc32((Span){(const char *)weights, sizeof *weights});
    free(weights);
    return sum;
}

void build_identity(uint64_t signature, const Rules *rules, char text[BUILD_IDENTITY_SIZE])
{
    (void)snprintf(text, BUILD_IDENTITY_SIZE, "krow " KROW_VERSION ", signature %016llx, weights %08x",
                   (unsigned long long)signature, weights_checksum(rules));
}

Status build_check(uint64_t signature, const Rules *rules, const char *wanted, Error *error)
{
    char own[BUILD_IDENTITY_SIZE];
    build_identity(signature, rules, own);
    if (strcmp(own, wanted) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "the job is for another build, which plays differently: %s; this is %s",
                     wanted, own);
}
