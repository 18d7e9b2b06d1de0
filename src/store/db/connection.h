// PostgreSQL connection strings: recognition, display without secrets, splitting into options.
#pragma once

#include "base/status.h"
#include "base/text.h"

// Whether a database location is a libpq connection string and not a file: a URI such as postgresql://host/name, or
// options such as host=… dbname=…. To open a file whose name looks like that, write ./name.
bool connection_is_text(const char *where);

// The connection string as libpq options for messages, without passwords and other secrets. For an invalid string
// (STATUS_BAD_INPUT) the error shows at most the name of an option: anything else may be a mistyped secret.
Status connection_show(const char *where, Text *shown, Error *error);

// Whether a connection string contains a secret; SECRET_POSSIBLE for an invalid one.
typedef enum { SECRET_NONE, SECRET_POSSIBLE, SECRET_CERTAIN } ConnectionSecret;
ConnectionSecret connection_secret(const char *where);

// The options of a connection string as NULL-terminated lists for libpq. Close also after a failure.
typedef struct {
    const char **keywords, **values; // the lists are owned, their texts belong to `parsed`
    void *parsed;
    unsigned count, capacity;
} ConnectionOptions;

Status connection_options(const char *where, ConnectionOptions *options, Error *error);
const char *connection_option(const ConnectionOptions *options, const char *keyword);           // NULL: not given
void connection_add_option(ConnectionOptions *options, const char *keyword, const char *value); // borrowed
void connection_options_close(ConnectionOptions *options);
