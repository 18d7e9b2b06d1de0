// The proof-number search of prove.h.
#include "engine/prove/prove_internal.h"

#include "base/memory.h"
#include "game/symmetry.h"

#include <stdlib.h>
#include <string.h>

bool prove_suits(const Rules *rules)
{
    return rules->p == 1 && rules->q == 1 && !rules->gravity && rules->k >= 3 && search_suits(rules);
}

Status prove_open(Prove **prove, const ProveOptions *options, Error *error)
{
    const Rules *rules = &options->start->rules;
    Prove *opened = memory_new(1, sizeof *opened);
    opened->options = *options;
    if (opened->options.threat_nodes == 0)
        opened->options.threat_nodes = PROVE_THREAT_NODES;
    if (opened->options.engine_nodes == 0)
        opened->options.engine_nodes = PROVE_ENGINE_NODES;
    board_copy(&opened->start, options->start);
    tree_board_open(&opened->board, rules);
    tree_board_set(&opened->board, options->start, options->owner);
    opened->threats = threat_search_open(&opened->board);
    opened->check = tree_check_open(&opened->board);
    opened->entry_count = ENTRIES_FIRST;
    opened->entries = memory_new(opened->entry_count, sizeof *opened->entries);
    opened->symmetries = symmetry_count(rules);
    SearchOptions search = {.megabytes = ENGINE_MEGABYTES};
    Status status = search_open(&opened->search, &search, rules, error);
    if (status != STATUS_OK) {
        prove_close(opened);
        return status;
    }
    opened->zone_count = 1;
    (void)prove_find_node(opened, board_side(options->start) == options->owner);
    *prove = opened;
    return STATUS_OK;
}

void prove_close(Prove *prove)
{
    if (prove == NULL)
        return;
    search_close(prove->search);
    threat_search_close(prove->threats);
    tree_check_close(prove->check);
    tree_board_close(&prove->board);
    free(prove->nodes);
    free(prove->links);
    free(prove->entries);
    free(prove->zones);
    free(prove);
}

// --- The log: the number of a node, what was done, and numbers ---

static void log_numbers(Prove *prove, uint32_t at, char what, unsigned number, const uint16_t *cells, unsigned count)
{
    if (prove->options.log == NULL)
        return;
    Text line = {0};
    text_add(&line, "%u %c %u", at, what, number);
    for (unsigned i = 0; i < count; i++)
        text_add(&line, " %u", cells[i]);
    text_add(&line, "\n");
    if (!prove->options.log(prove->options.context, (Span){line.data, line.length}))
        prove->has_failed = true;
    text_close(&line);
}

// --- Searches ---

static void lose(Prove *prove, uint32_t at)
{
    prove_set_result(&prove->nodes[at], false);
    log_numbers(prove, at, 'l', 0, NULL, 0);
}

// A win by threats.
static bool try_threats(Prove *prove, uint32_t at, unsigned nodes)
{
    TreeWords words = {0};
    bool wins = prove_find_threats(prove, nodes, &words);
    if (wins) {
        prove_take_win(prove, &prove->nodes[at], nodes);
        prove_need_threat_zone(prove, at, &words);
        log_numbers(prove, at, 'w', nodes, NULL, 0);
    }
    tree_words_close(&words);
    return wins;
}

static void begin_owner(Prove *prove, uint32_t at)
{
    unsigned nodes = prove->options.threat_nodes * (prove->nodes[at].stage == STAGE_NEW ? 1 : HARDER), cell;
    if (try_threats(prove, at, nodes))
        return;
    if (fours_completing(&prove->board, TREE_OPPONENT, &cell) > 1 || prove->board.stones == prove->board.cell_count) {
        lose(prove, at);
        return;
    }
    prove_take_failure(&prove->nodes[at]);
    log_numbers(prove, at, 'f', nodes, NULL, 0);
}

// All replies, or with a symmetry that leaves the position as it is one of each kind.
static void list_all(Prove *prove, uint32_t at)
{
    const TreeBoard *board = &prove->board;
    uint16_t cells[RULES_CELLS_MAX];
    unsigned count = 0;
    for (unsigned cell = 0; cell < board->cell_count; cell++)
        if (board->stone[cell] == TREE_EMPTY && tree_check_is_lowest(prove->check, cell))
            cells[count++] = (uint16_t)cell;
    prove_take_replies(prove, at, 0, cells, count);
    log_numbers(prove, at, 'a', 0, cells, count);
}

static void list_zone(Prove *prove, uint32_t at, uint32_t after)
{
    const TreeBoard *board = &prove->board;
    uint16_t cells[RULES_CELLS_MAX];
    unsigned count = 0;
    prove_need_zone(prove, after);
    const uint8_t *zone = prove_zone(prove, after);
    for (unsigned cell = 0; cell < board->cell_count; cell++)
        if (board->stone[cell] == TREE_EMPTY && zone[cell] <= 1)
            cells[count++] = (uint16_t)cell;
    prove_take_replies(prove, at, after + 1, cells, count);
    log_numbers(prove, at, 'd', after + 1, cells, count);
}

static void pass(Prove *prove, uint32_t at)
{
    prove_take_pass(prove, at);
    log_numbers(prove, at, 'p', 0, NULL, 0);
}

static void work_on_opponent(Prove *prove, uint32_t at)
{
    const TreeBoard *board = &prove->board;
    const ProveNode *node = &prove->nodes[at];
    if (node->stage > STAGE_TRIED)
        return;
    if (tree_board_completes(board, TREE_OPPONENT, 1) < board->row_count || board->stones == board->cell_count)
        lose(prove, at);
    else if (node->stage == STAGE_NEW && tree_check_is_symmetric(prove->check))
        list_all(prove, at);
    else if (node->stage == STAGE_NEW)
        pass(prove, at);
    else if (prove->nodes[prove->links[node->first_link].node].proof == 0)
        list_zone(prove, at, prove->links[node->first_link].node);
}

// The position on the board, as the engine needs it.
static void to_board(const Prove *prove, Board *board)
{
    const TreeBoard *from = &prove->board;
    Side owner = prove->options.owner;
    board_init(board, &from->rules);
    for (unsigned cell = 0; cell < from->cell_count; cell++)
        if (from->stone[cell] != TREE_EMPTY)
            board_put(board, tree_cell(from, cell), from->stone[cell] == TREE_OWNER ? owner : side_other(owner));
    (void)board_set_turn(board, owner, 1);
}

static uint16_t proof_of(int score)
{
    int proof = PROOF_STONE + (SCORE_HIGH - score) / SCORE_STEP;
    return (uint16_t)(proof < PROOF_STONE ? PROOF_STONE : proof > PROOF_STONE_MOST ? PROOF_STONE_MOST : proof);
}

static void ask_engine(Prove *prove, uint32_t at)
{
    Board board;
    uint16_t numbers[2 * ENGINE_LINES], *cells = numbers,
                                        *proofs = numbers + ENGINE_LINES; // in the log one after the other
    unsigned only, count = 0;
    if (fours_completing(&prove->board, TREE_OPPONENT, &only) > 0) {
        proofs[count] = PROOF_STONE;
        cells[count++] = (uint16_t)only;
    } else {
        SearchLimits limits = {.limits.nodes = prove->options.engine_nodes, .lines = ENGINE_LINES};
        to_board(prove, &board);
        search_new_game(prove->search);
        search_run(prove->search, &board, &limits, &prove->info);
        for (unsigned i = 0; i < prove->info.line_count && count < ENGINE_LINES; i++) {
            proofs[count] = proof_of(prove->info.lines[i].score);
            cells[count++] = (uint16_t)tree_number(&prove->board, prove->info.lines[i].turn.stones[0]);
        }
    }
    prove->searches++;
    prove_take_stones(prove, at, cells, proofs, count);
    memmove(numbers + count, proofs, count * sizeof *proofs);
    log_numbers(prove, at, 'o', count, numbers, 2 * count);
}

// Adds all other stones.
static void widen(Prove *prove, uint32_t at)
{
    const TreeBoard *board = &prove->board;
    uint16_t cells[RULES_CELLS_MAX];
    unsigned count = 0;
    const ProveNode *node = &prove->nodes[at];
    // Links of a node are consecutive, so the first ones are repeated.
    for (uint32_t i = 0; i < node->link_count; i++)
        cells[count++] = prove->links[node->first_link + i].cell;
    unsigned only;
    bool is_forced = fours_completing(board, TREE_OPPONENT, &only) > 0;
    for (unsigned cell = 0; cell < board->cell_count && !is_forced; cell++) {
        unsigned i = 0;
        while (i < node->link_count && cells[i] != cell)
            i++;
        if (board->stone[cell] == TREE_EMPTY && i == node->link_count)
            cells[count++] = (uint16_t)cell;
    }
    prove->nodes[at].link_count = 0;
    prove_take_stones(prove, at, cells, NULL, count);
    log_numbers(prove, at, 'm', 0, cells, count);
}

// --- The search ---

static const ProveLink *most_proving(const Prove *prove, uint32_t at)
{
    const ProveNode *node = &prove->nodes[at];
    const ProveLink *best = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < node->link_count; i++) {
        const ProveLink *link = &prove->links[node->first_link + i];
        const ProveNode *child = &prove->nodes[link->node];
        uint32_t one = node->is_owner ? prove_effort(prove, node, i) : child->disproof;
        if (one < least && child->proof != 0 && child->disproof != 0) {
            least = one;
            best = link;
        }
    }
    return best;
}

static void work_on(Prove *prove, uint32_t at)
{
    const ProveNode *node = &prove->nodes[at];
    if (!node->is_owner)
        work_on_opponent(prove, at);
    else if (node->stage < STAGE_HARD)
        begin_owner(prove, at);
    else if (node->stage == STAGE_HARD)
        ask_engine(prove, at);
    else if (node->stage == STAGE_EXPANDED)
        widen(prove, at);
}

// The link to go on with, or NULL to work on this position.
static const ProveLink *choose(const Prove *prove, uint32_t at)
{
    const ProveNode *node = &prove->nodes[at];
    if ((node->is_owner ? node->stage < STAGE_EXPANDED : node->stage < STAGE_TRIED) || node->proof == 0 ||
        node->disproof == 0)
        return NULL;
    const ProveLink *link = most_proving(prove, at);
    bool is_last_resort =
        link != NULL && node->is_owner && node->stage == STAGE_EXPANDED && prove->nodes[link->node].proof >= PROOF_WIDE;
    return is_last_resort ? NULL : link;
}

ProveState prove_step(Prove *prove, Error *error)
{
    if (prove->has_failed) {
        (void)error_set(error, STATUS_IO, "the log of the proof cannot be written");
        return PROVE_OPEN;
    }
    uint32_t at = 0;
    const ProveLink *link;
    prove_update(prove, at);
    while ((link = choose(prove, at)) != NULL && prove->length < LINE_MAX) {
        prove->line_nodes[prove->length] = at;
        prove->line[prove->length++] = link->cell;
        prove_place(prove, &prove->nodes[at], link->cell);
        at = link->node;
        prove_update(prove, at);
    }
    if (prove->nodes[at].proof != 0 && prove->nodes[at].disproof != 0)
        work_on(prove, at);
    prove_update(prove, at);
    while (prove->length > 0) {
        prove_take(prove, prove->line[--prove->length]);
        prove_update(prove, prove->line_nodes[prove->length]);
    }
    return prove_facts(prove).state;
}

ProveFacts prove_facts(const Prove *prove)
{
    const ProveNode *root = &prove->nodes[0];
    return (ProveFacts){.state = root->proof == 0      ? PROVE_PROVED
                                 : root->disproof == 0 ? PROVE_FAILED
                                                       : PROVE_OPEN,
                        .positions = prove->node_count,
                        .bytes = prove->node_capacity * sizeof *prove->nodes +
                                 prove->link_capacity * sizeof *prove->links +
                                 prove->entry_count * sizeof *prove->entries + prove->zone_capacity,
                        .proved = prove->proved,
                        .searches = prove->searches,
                        .proof = root->proof,
                        .disproof = root->disproof};
}

unsigned prove_replies(const Prove *prove, ProveReply *replies, unsigned most)
{
    const ProveNode *root = &prove->nodes[0];
    unsigned count = 0;
    for (uint32_t i = 0; i < root->link_count && count < most; i++) {
        const ProveLink *link = &prove->links[root->first_link + i];
        const ProveNode *child = &prove->nodes[link->node];
        replies[count++] = (ProveReply){tree_cell(&prove->board, link->cell), child->proof, child->disproof, 0};
    }
    return count;
}

unsigned prove_count_replies(const Prove *prove, Cell *stone, unsigned *proved)
{
    const ProveNode *node = &prove->nodes[0];
    *stone = CELL_NONE;
    *proved = 0;
    if (node->is_owner) {
        if (node->stage < STAGE_EXPANDED || node->link_count == 0)
            return 0;
        const ProveLink *link = &prove->links[node->after];
        *stone = tree_cell(&prove->board, link->cell);
        node = &prove->nodes[link->node];
    }
    if (node->stage < STAGE_EXPANDED)
        return 0;
    for (uint32_t i = 0; i < node->link_count; i++)
        *proved += prove->nodes[prove->links[node->first_link + i].node].proof == 0;
    return node->link_count;
}
