// Whole files out.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, Span content)
{
    while (content.length > 0) {
        ssize_t put = write(fd, content.at, content.length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        content.at += put;
        content.length -= (size_t)put;
    }
    return true;
}

// Flushes the folder of a path, so that a rename in it reaches the disk.
static void sync_folder_of(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    if (length >= sizeof folder)
        return;
    memcpy(folder, path, length);
    folder[length] = '\0';
    const char *name = slash == NULL ? "." : length == 0 ? "/" : folder;
    int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

static const mode_t MODE_USUAL = 0666, MODE_PRIVATE = 0600; // before the umask

// Creates a new file next to `path` and returns its name. mkstemp would always make it readable by the owner only.
static int open_beside(const char *path, mode_t mode, char *name, size_t size)
{
    for (int attempt = 0; attempt < 1000; attempt++) {
        int length = snprintf(name, size, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        if (length < 0 || (size_t)length >= size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

// Opens the temporary file that will replace `path`.
static Status open_to_write(const char *path, mode_t mode, char temporary[PATH_MAX], int *fd, Error *error)
{
    struct stat old;
    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode))
        return error_set(error, STATUS_IO, "cannot write '%s': it exists and is not a regular file", path);
    *fd = open_beside(path, mode, temporary, PATH_MAX);
    return *fd >= 0 ? STATUS_OK : error_set(error, STATUS_IO, "cannot write '%s': %s", path, strerror(errno));
}

Status file_check_writable(const char *path, Error *error)
{
    char temporary[PATH_MAX];
    int fd = -1;
    Status status = open_to_write(path, MODE_USUAL, temporary, &fd, error);
    if (status == STATUS_OK) {
        (void)close(fd);
        (void)unlink(temporary);
    }
    return status;
}

static Status replace_file(const char *path, mode_t mode, Span content, Error *error)
{
    char temporary[PATH_MAX];
    int fd = -1;
    Status status = open_to_write(path, mode, temporary, &fd, error);
    if (status != STATUS_OK)
        return status;
    bool good = write_all(fd, content) && fsync(fd) == 0;
    good = close(fd) == 0 && good;
    good = good && rename(temporary, path) == 0;
    if (!good) {
        int reason = errno;
        (void)unlink(temporary);
        return error_set(error, STATUS_IO, "cannot write '%s': %s", path, strerror(reason));
    }
    sync_folder_of(path);
    return STATUS_OK;
}

Status file_write(const char *path, Span content, Error *error)
{
    return replace_file(path, MODE_USUAL, content, error);
}

Status file_write_private(const char *path, Span content, Error *error)
{
    return replace_file(path, MODE_PRIVATE, content, error);
}

static Status make_folder(const char *path, mode_t mode, Error *error)
{
    char partial[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof partial)
        return error_set(error, STATUS_IO, "cannot create the folder '%s': the path is too long", path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(partial, path, i);
        partial[i] = '\0';
        if (mkdir(partial, mode) != 0 && errno != EEXIST)
            return error_set(error, STATUS_IO, "cannot create the folder '%s': %s", partial, strerror(errno));
    }
    struct stat made;
    if (length > 0 && (stat(path, &made) != 0 || !S_ISDIR(made.st_mode)))
        return error_set(error, STATUS_IO, "cannot create the folder '%s': it exists and is not a folder", path);
    return STATUS_OK;
}

Status file_make_folder(const char *path, Error *error)
{
    return make_folder(path, 0777, error);
}

Status file_make_private_folder(const char *path, Error *error)
{
    return make_folder(path, 0700, error);
}
