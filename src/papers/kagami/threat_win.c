// Wins by threats for the agent kagami, by the search of the paper or the exact one.
#include "papers/kagami/threat_win.h"

enum {
    TABLE_BYTES = 1 << 22, // of the exact search; many more positions than a turn looks at
    ZONE_STEPS_MAX = 512,  // turns of a winning tree that a zone is made of
};

Status threat_win_open(ThreatWin *threats, ThreatWinKind kind, const Rules *rules, Error *error)
{
    threats->kind = kind;
    immediate_windows(rules, &threats->windows);
    return kind == THREAT_WIN_PAPER ? threat_space_open(&threats->paper, rules, error)
                                    : double_threat_open(&threats->exact, rules, TABLE_BYTES, error);
}

void threat_win_close(ThreatWin *threats)
{
    threat_space_close(threats->paper);
    double_threat_close(threats->exact);
}

void threat_win_set_correction(ThreatWin *threats, LineCorrection correction)
{
    if (threats->kind == THREAT_WIN_PAPER)
        threat_space_set_correction(threats->paper, correction);
}

void threat_win_run(ThreatWin *threats, const Board *board, const Limits *limits, DoubleThreatResult *result)
{
    threats->limits = *limits;
    if (threats->kind == THREAT_WIN_PAPER)
        threat_space_run(threats->paper, board, limits, result);
    else
        double_threat_run(threats->exact, board, limits, result);
}

bool threat_win_can_finish(ThreatWin *threats, const Board *board, Side side)
{
    return immediate_blocks(board, &threats->windows, side, threats->blocks) > 0;
}

// --- Zones ---

static void add_cells(ThreatWinZone *zone, const CellSet *cells)
{
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && cells->cell[i] != CELL_NONE; i++)
        zone->rows[cell_row(cells->cell[i])] |= cell_bit_in_row(cells->cell[i]);
}

// Adds the cells that block rows which the side can complete in a turn.
static void add_blocks(ThreatWin *threats, const Board *board, Side side, ThreatWinZone *zone)
{
    if (!threat_win_can_finish(threats, board, side))
        return;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t left = board_legal_row(board, row); left != 0; left &= left - 1)
            if (threats->blocks[cell_at(bits_lowest(left), row)] > 0)
                zone->rows[row] |= left & -left;
}

// Plays a turn of the attacker on threats->board, and adds its cells and those that block its threats.
static void add_turn(ThreatWin *threats, const CellSet *turn, ThreatWinZone *zone)
{
    Side attacker = board_side(&threats->board);
    add_cells(zone, turn);
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turn->cell[i] != CELL_NONE; i++)
        (void)board_play(&threats->board, turn->cell[i]);
    if (!board_is_over(&threats->board))
        add_blocks(threats, &threats->board, attacker, zone);
}

typedef struct {
    ThreatWin *threats;
    ThreatWinZone *zone;
    unsigned steps;
} ZoneWalk;

static bool add_step(void *context, const DoubleThreatStep *step)
{
    ZoneWalk *walk = context;
    board_copy(&walk->threats->board, step->board);
    add_turn(walk->threats, &step->turn, walk->zone);
    return ++walk->steps < ZONE_STEPS_MAX;
}

// Puts a stone of the defender on every cell of threats->blocks, which block the attacker's rows, and lets the attacker
// move again. False if that ends the game.
static bool defend_everywhere(ThreatWin *threats, Side attacker)
{
    Board *board = &threats->board;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t left = board_legal_row(board, row); left != 0; left &= left - 1)
            if (threats->blocks[cell_at(bits_lowest(left), row)] > 0)
                board_put(board, cell_at(bits_lowest(left), row), side_other(attacker));
    return board_set_turn(board, attacker, board->rules.p) == 0 && !board_is_over(board);
}

// Follows the single path of the paper's search. Its last turn makes more threats than the defender has stones, or
// completes a row.
static void add_path(ThreatWin *threats, const Board *board, DoubleThreatResult *result, ThreatWinZone *zone)
{
    Side attacker = board_side(board);
    DoubleThreatResult next = *result;
    board_copy(&threats->board, board);
    add_turn(threats, &next.turn, zone);
    while (next.turns > 2 && zone->is_whole) {
        zone->is_whole = defend_everywhere(threats, attacker);
        if (zone->is_whole) {
            threat_space_run(threats->paper, &threats->board, &threats->limits, &next);
            result->nodes += next.nodes;
            zone->is_whole = next.verdict == DOUBLE_THREAT_WON;
        }
        if (zone->is_whole)
            add_turn(threats, &next.turn, zone);
    }
}

void threat_win_zone(ThreatWin *threats, const Board *board, DoubleThreatResult *result, ThreatWinZone *zone)
{
    assert(result->verdict == DOUBLE_THREAT_WON);
    *zone = (ThreatWinZone){.is_whole = true};
    add_blocks(threats, board, board_side(board), zone);
    ZoneWalk walk = {threats, zone, 0};
    if (threats->kind == THREAT_WIN_PAPER)
        add_path(threats, board, result, zone);
    else
        zone->is_whole = double_threat_walk(threats->exact, result, add_step, &walk);
}

// --- Lines ---

unsigned threat_win_line(ThreatWin *threats, const DoubleThreatResult *result, Cell *line, unsigned most)
{
    CellSet turns[2 * DOUBLE_THREAT_TURNS_MAX] = {result->turn};
    unsigned count = 0,
             turn_count = threats->kind == THREAT_WIN_PAPER ? 1 : double_threat_line(threats->exact, result, turns);
    for (unsigned t = 0; t < turn_count; t++)
        for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turns[t].cell[i] != CELL_NONE && count < most; i++)
            line[count++] = turns[t].cell[i];
    return count;
}
