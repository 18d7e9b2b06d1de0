// Connection texts of PostgreSQL: which texts are one, and what of them may be shown.
#pragma once

#include "base/status.h"
#include "base/text.h"

// Whether a place of a database is a connection text of libpq and not a file: an address such as
// postgresql://host/name, or words such as host=… dbname=…. A file whose name looks like that is written ./name.
bool connection_is_text(const char *where);

// The text as words that libpq understands, without passwords and other secrets, for messages. A text that is wrong is
// STATUS_BAD_INPUT; the error shows no more of it than the name of an option, since anything else may be a secret that
// was written wrongly.
Status connection_show(const char *where, Text *shown, Error *error);

// Whether there is a secret in a text; in one that is wrong there may be.
typedef enum { SECRET_NONE, SECRET_POSSIBLE, SECRET_CERTAIN } ConnectionSecret;
ConnectionSecret connection_secret(const char *where);

// The options of a text as lists for libpq, ended by NULL. Close also after a failure.
typedef struct {
    const char **keywords, **values; // the lists are owned, their texts belong to `parsed`
    void *parsed;
    unsigned count, capacity;
} ConnectionOptions;

Status connection_options(const char *where, ConnectionOptions *options, Error *error);
const char *connection_option(const ConnectionOptions *options, const char *keyword);           // NULL: not given
void connection_add_option(ConnectionOptions *options, const char *keyword, const char *value); // borrowed
void connection_options_close(ConnectionOptions *options);
