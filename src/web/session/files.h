// Games of sessions as files, with variations, comments and what was found out about positions.
#pragma once

#include "store/formats/formats.h"
#include "web/session/session.h"

extern const WebRoute web_files_routes[];

// Puts a game in the place of that of a session, which is locked. Who plays stays, unless it cannot play these rules.
Status web_files_open(WebSession *session, const GameRecord *record, Error *error);

// The game of a session as a record, to be closed; the session is locked.
Status web_files_record(const WebSession *session, GameRecord *record, Error *error);
