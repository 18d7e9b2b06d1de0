// Status codes and error texts.
#include "base/status.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

Status error_set(Error *error, Status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    utf8_clean_line(error->text);
    return status;
}

void error_prefix(Error *error, const char *format, ...)
{
    if (error == NULL)
        return;
    char whole[2 * ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(whole, ERROR_TEXT_SIZE, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    size_t at = (size_t)length < ERROR_TEXT_SIZE ? (size_t)length : ERROR_TEXT_SIZE - 1;
    memcpy(whole + at, error->text, strlen(error->text) + 1);
    memcpy(error->text, whole, sizeof error->text);
    error->text[sizeof error->text - 1] = '\0';
    utf8_clean_line(error->text);
}

static const struct {
    int exit_status;
    const char *text;
} statuses[] = {
#define STATUS_ROW(name, exit_status, text) {exit_status, text},
    STATUS_LIST(STATUS_ROW)
#undef STATUS_ROW
};

static bool is_known(Status status)
{
    return (size_t)status < sizeof statuses / sizeof statuses[0];
}

const char *status_text(Status status)
{
    return is_known(status) ? statuses[status].text : "unknown status";
}

int status_exit(Status status)
{
    return is_known(status) ? statuses[status].exit_status : 1;
}
