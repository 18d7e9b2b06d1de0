// Runs a fuzz target once on every file of a folder: replay TARGET FOLDER. An empty folder is an error, because nothing
// would be tested.
#include "base/file.h"
#include "fuzz/fuzz.h"

#include <dirent.h>

static FuzzTarget *targets;

void fuzz_target_add(FuzzTarget *target)
{
    target->next = targets;
    targets = target;
}

static const FuzzTarget *find_target(const char *name)
{
    const FuzzTarget *target = targets;
    while (target != NULL && strcmp(target->name, name) != 0)
        target = target->next;
    return target;
}

// The input is given in memory of exactly its size, so that the address sanitizer sees a read behind it.
static void run_file(const FuzzTarget *target, const char *path)
{
    Text text = {0};
    Error error = {0};
    if (file_read(path, 1 << 20, &text, &error) != STATUS_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    uint8_t *data = malloc(text.length > 0 ? text.length : 1);
    REQUIRE(data != NULL);
    memcpy(data, text.data, text.length);
    (void)fprintf(stderr, "%s\n", path);
    (void)target->run(data, text.length);
    free(data);
    text_close(&text);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    struct dirent **entries = NULL;
    const FuzzTarget *target = argc == 3 ? find_target(argv[1]) : NULL;
    int count = target != NULL ? scandir(argv[2], &entries, is_visible, alphasort) : -1;
    for (int i = 0; i < count; i++) {
        Text path = {0};
        text_add(&path, "%s/%s", argv[2], entries[i]->d_name);
        run_file(target, path.data);
        text_close(&path);
        free(entries[i]);
    }
    free(entries);
    if (count > 0)
        return 0;
    (void)fprintf(stderr, "nothing to replay; usage: replay TARGET FOLDER\n");
    return 1;
}
