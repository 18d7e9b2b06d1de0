// Notes and keeps the games of a match one by one.
#include "lab/match_games.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "game/notation.h"
#include "lab/match_run.h"
#include "store/formats/formats.h"
#include "view/json_view.h"

#include <stdio.h>
#include <time.h>

const char *match_date(int64_t moment, char text[MATCH_DATE_SIZE])
{
    time_t seconds = (time_t)(moment / 1000);
    struct tm date;
    if (gmtime_r(&seconds, &date) == NULL || strftime(text, MATCH_DATE_SIZE, "%F", &date) == 0)
        text[0] = '\0';
    return text;
}

void match_game_note(const MatchRun *run, const DatabaseGame *game)
{
    static const char *const scores[] = {"*", "1-0", "0-1", "1/2-1/2"};
    const GameRecord *record = game->record;
    unsigned games = schedule_games(&run->results.schedule);
    ScheduledGame scheduled = schedule_game(&run->results.schedule, (unsigned)game->number);
    char opening[32] = "";
    if (run->openings.count > 0)
        (void)snprintf(opening, sizeof opening, ", opening %u", scheduled.opening + 1);
    reporter_note(run->reporter, "game %lld/%u%s: %s – %s %s, %s, %u stone%s", (long long)game->number + 1, games,
                  opening, run->names[scheduled.reversed ? scheduled.b : scheduled.a],
                  run->names[scheduled.reversed ? scheduled.a : scheduled.b], scores[record->result], game->reason,
                  record->count, view_plural(record->count));
}

GameRecord match_game_record(const DatabaseGame *game)
{
    GameRecord record = *game->record;
    record_set_text(record.first, span_of(game->first));
    record_set_text(record.second, span_of(game->second));
    record_set_text(record.reason, span_of(game->reason));
    char date[MATCH_DATE_SIZE];
    if (record.date[0] == '\0' && game->started > 0)
        record_set_text(record.date, span_of(match_date(game->started, date)));
    return record;
}

void match_game_keep(MatchRun *run, const DatabaseGame *game)
{
    if (!run->keeps_sgf)
        return;
    if (run->sgf == NULL)
        run->sgf = memory_new(schedule_games(&run->results.schedule), sizeof *run->sgf);
    GameRecord record = match_game_record(game);
    if (record.event[0] == '\0')
        (void)snprintf(record.event, sizeof record.event, "krow match, game %lld", (long long)game->number + 1);
    text_close(&run->sgf[game->number]);
    // SGF represents every game of the family.
    (void)formats_write(&record, format_find(span_of("sgf")), &run->sgf[game->number], NULL);
}

void match_game_outcome(const DatabaseGame *game, Text *text)
{
    static const char *const faults[] = {
        [FAULT_NONE] = "", [FAULT_ILLEGAL] = " illegal", [FAULT_TIMEOUT] = " timeout", [FAULT_CRASH] = " crash"};
    const GameRecord *record = game->record;
    const char *result = result_name(record->result);
    text_add(text, "%s%s, ", result != NULL ? result : "unfinished", faults[game->fault]);
    if (game->fault != FAULT_NONE)
        text_add(text, "fault of %s, ", side_name(game->faulty));
    else
        text_add(text, "%s, ", game->reason);
    for (unsigned i = 0; i < record->count; i++) {
        char cell[CELL_TEXT_SIZE];
        cell_format(record->stones[i].cell, cell);
        text_add(text, "%s ", cell);
    }
    text_add(text, "opening %u seed %llu", game->opening, (unsigned long long)game->seed);
    for (int side = 0; side < 2; side++) {
        text_add(text, " %s %s", side_name((Side)side), side == 0 ? game->first : game->second);
        for (unsigned i = 0; i < game->own[side].count; i++)
            text_add(text, " %s %llu", game->own[side].list[i].name, (unsigned long long)game->own[side].list[i].value);
    }
    utf8_clean_line(text->data); // as texts are that the database has kept
}
