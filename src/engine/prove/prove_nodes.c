// Positions of a proof search: their table, zones and proof numbers.
#include "engine/prove/prove_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// --- Positions ---

static size_t find_entry(const Prove *prove, uint64_t key)
{
    size_t at = key & (prove->entry_count - 1);
    while (prove->entries[at].node != 0 && prove->entries[at].key != key)
        at = (at + 1) & (prove->entry_count - 1);
    return at;
}

static void grow_entries(Prove *prove)
{
    ProveEntry *old = prove->entries;
    size_t count = prove->entry_count;
    prove->entry_count *= 2;
    prove->entries = memory_new(prove->entry_count, sizeof *prove->entries);
    for (size_t i = 0; i < count; i++)
        if (old[i].node != 0)
            prove->entries[find_entry(prove, old[i].key)] = old[i];
    free(old);
}

// The node of the position on the board.
uint32_t prove_find_node(Prove *prove, bool is_owner)
{
    if (2 * (size_t)prove->node_count >= prove->entry_count)
        grow_entries(prove);
    uint64_t key = prove->board.key ^ (is_owner ? 0 : UINT64_C(0x9e3779b97f4a7c15));
    ProveEntry *entry = &prove->entries[find_entry(prove, key)];
    if (entry->node != 0)
        return entry->node - 1;
    prove->nodes = array_grow(prove->nodes, &prove->node_capacity, prove->node_count + 1, sizeof *prove->nodes);
    prove->nodes[prove->node_count] = (ProveNode){.is_owner = is_owner, .proof = PROOF_NEW, .disproof = 1};
    *entry = (ProveEntry){key, ++prove->node_count};
    return entry->node - 1;
}

// Links the position after a stone, or after a pass (TREE_NONE).
uint32_t prove_add_link(Prove *prove, uint32_t from, unsigned cell)
{
    bool is_owner = prove->nodes[from].is_owner;
    prove_place(prove, &prove->nodes[from], cell);
    uint32_t before = prove->node_count, to = prove_find_node(prove, !is_owner);
    prove_take(prove, cell);
    if (to >= before) {
        prove->nodes[to].parent = from;
        prove->nodes[to].cell = (uint16_t)cell;
    }
    prove->links = array_grow(prove->links, &prove->link_capacity, prove->link_count + 1, sizeof *prove->links);
    ProveNode *node = &prove->nodes[from];
    if (node->link_count == 0)
        node->first_link = prove->link_count;
    prove->links[prove->link_count++] = (ProveLink){to, (uint16_t)cell};
    node->link_count++;
    return to;
}

// --- Zones ---

static uint8_t *new_zone(Prove *prove, uint32_t at)
{
    unsigned cells = prove->board.cell_count;
    prove->zones = array_grow(prove->zones, &prove->zone_capacity, (size_t)(prove->zone_count + 1) * cells, 1);
    prove->nodes[at].zone = prove->zone_count;
    uint8_t *zone = prove->zones + (size_t)prove->zone_count++ * cells;
    memset(zone, TREE_NEVER, cells);
    return zone;
}

uint8_t *prove_zone(const Prove *prove, uint32_t at)
{
    return prove->zones + (size_t)prove->nodes[at].zone * prove->board.cell_count;
}

static void need_zone_after(Prove *prove, uint32_t from, const ProveLink *link)
{
    uint32_t to = link->node;
    unsigned cell = link->cell;
    prove_place(prove, &prove->nodes[from], cell);
    prove_need_zone(prove, to);
    prove_take(prove, cell);
}

bool prove_find_threats(Prove *prove, unsigned nodes, TreeWords *words)
{
    prove->searches++;
    return tree_board_completes(&prove->board, TREE_OWNER, 1) < prove->board.row_count ||
           threat_search_run(prove->threats, nodes, words);
}

// The zone of a win by threats.
void prove_need_threat_zone(Prove *prove, uint32_t at, const TreeWords *words)
{
    TreeWordsReader reader = {words, 0};
    TreeSource source = tree_words_source(&reader);
    TreeFacts facts;
    uint8_t *zone = new_zone(prove, at);
    bool holds = tree_check_run(prove->check, (TreeTurn){TREE_OWNER, 1}, &source, NULL, &facts, LEVELS, zone);
    assert(holds);
    (void)holds;
}

static void need_owner_zone(Prove *prove, uint32_t at)
{
    const ProveNode *node = &prove->nodes[at];
    if (node->threat_nodes > 0) {
        TreeWords words = {0};
        (void)prove_find_threats(prove, node->threat_nodes, &words);
        prove_need_threat_zone(prove, at, &words);
        tree_words_close(&words);
        return;
    }
    ProveLink link = prove->links[node->after];
    need_zone_after(prove, at, &link);
    uint8_t *zone = new_zone(prove, at);
    memcpy(zone, prove_zone(prove, link.node), prove->board.cell_count);
    zone[link.cell] = 1;
}

static void need_opponent_zone(Prove *prove, uint32_t at)
{
    const TreeBoard *board = &prove->board;
    for (uint32_t i = 0; i < prove->nodes[at].link_count; i++) {
        ProveLink link = prove->links[prove->nodes[at].first_link + i];
        need_zone_after(prove, at, &link);
    }
    uint32_t after = prove->nodes[at].after;
    if (after > 0)
        prove_need_zone(prove, after - 1);
    uint8_t *zone = new_zone(prove, at);
    const ProveNode *node = &prove->nodes[at];
    if (after > 0)
        tree_zone_add_default(board, zone, prove_zone(prove, after - 1), 1);
    tree_zone_add_rows(board, 1, LEVELS, zone);
    for (uint32_t i = 0; i < node->link_count; i++)
        tree_zone_add(board, zone, prove_zone(prove, prove->links[node->first_link + i].node));
    if (after == 0)
        tree_check_close_zone(prove->check, zone);
}

// Finds the zone of a proved position, the one on the board.
void prove_need_zone(Prove *prove, uint32_t at)
{
    assert(prove->nodes[at].proof == 0);
    if (prove->nodes[at].zone > 0)
        return;
    if (prove->nodes[at].is_owner)
        need_owner_zone(prove, at);
    else
        need_opponent_zone(prove, at);
}

// --- Proof numbers ---

static void update_owner(Prove *prove, ProveNode *node)
{
    uint64_t sum = 0;
    uint32_t least = INFINITE;
    for (uint32_t i = 0; i < node->link_count; i++) {
        const ProveNode *child = &prove->nodes[prove->links[node->first_link + i].node];
        uint32_t effort = prove_effort(prove, node, i);
        sum += child->disproof;
        if (effort < least) {
            least = effort;
            node->after = node->first_link + i;
        }
    }
    node->proof = least;
    node->disproof = sum < INFINITE ? (uint32_t)sum : INFINITE;
    // The other stones of the owner are a last resort.
    if (node->stage == STAGE_EXPANDED && node->proof > PROOF_WIDE) {
        node->proof = PROOF_WIDE;
        node->disproof = 1;
    }
}

// Replies often lead to the same positions in the end, so their proof numbers are not added up.
static void update_opponent(Prove *prove, ProveNode *node)
{
    uint32_t most = 0, open = 0, least = INFINITE;
    for (uint32_t i = 0; i < node->link_count; i++) {
        const ProveNode *child = &prove->nodes[prove->links[node->first_link + i].node];
        most = child->proof > most ? child->proof : most;
        open += child->proof > 0;
        least = child->disproof < least ? child->disproof : least;
    }
    node->proof = open == 0 ? 0 : most < INFINITE ? most + open - 1 : INFINITE;
    node->disproof = least;
    if (node->stage == STAGE_TRIED && node->proof < INFINITE) {
        node->proof += PROOF_ZONE;
        node->disproof = open == 0 ? 1 : least;
    }
}

void prove_update(Prove *prove, uint32_t at)
{
    ProveNode *node = &prove->nodes[at];
    if (node->proof == 0 || node->disproof == 0)
        return;
    if (!node->is_owner && node->stage >= STAGE_TRIED)
        update_opponent(prove, node);
    else if (node->stage >= STAGE_EXPANDED)
        update_owner(prove, node);
}

// --- Results of searches, from a search or from the log ---

void prove_take_win(Prove *prove, ProveNode *node, unsigned nodes)
{
    node->threat_nodes = nodes;
    prove_set_result(node, true);
    prove->proved++;
}

void prove_take_failure(ProveNode *node)
{
    node->stage++;
    node->proof = node->stage == STAGE_TRIED ? PROOF_FAILED : PROOF_HARD;
    node->disproof = 1;
}

// The replies that need an answer of their own; `after` is the position after a pass plus 1, or 0.
void prove_take_replies(Prove *prove, uint32_t at, uint32_t after, const uint16_t *cells, unsigned count)
{
    prove->nodes[at].stage = STAGE_EXPANDED;
    prove->nodes[at].after = after;
    prove->nodes[at].link_count = 0;
    for (unsigned i = 0; i < count; i++)
        (void)prove_add_link(prove, at, cells[i]);
    prove_update(prove, at);
}

void prove_take_pass(Prove *prove, uint32_t at)
{
    prove->nodes[at].stage = STAGE_TRIED;
    (void)prove_add_link(prove, at, TREE_NONE);
    prove_update(prove, at);
}

void prove_take_stones(Prove *prove, uint32_t at, const uint16_t *cells, const uint16_t *proofs, unsigned count)
{
    prove->nodes[at].stage = proofs != NULL ? STAGE_EXPANDED : STAGE_WIDE;
    for (unsigned i = 0; i < count; i++) {
        uint32_t before = prove->node_count, to = prove_add_link(prove, at, cells[i]);
        if (to >= before)
            prove->nodes[to].proof = proofs != NULL ? proofs[i] : PROOF_WIDE;
    }
    prove_update(prove, at);
}
