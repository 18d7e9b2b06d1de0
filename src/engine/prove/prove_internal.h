// Shared by the files of proof search: positions, their proof numbers and zones.
#pragma once

#include "engine/prove/prove.h"
#include "engine/prove/threats.h"

enum {
    INFINITE = 1 << 28,
    ENTRIES_FIRST = 1 << 16,
    LINE_MAX = 512,
    HARDER = 6,        // a second search for a win by threats gets this many times the positions
    PROOF_NEW = 8,     // proof numbers of positions that have not been examined
    PROOF_FAILED = 16, // of those without a win by threats, after one search and two
    PROOF_HARD = 32,
    PROOF_STONE = 16, // after a stone that wins according to the engine
    PROOF_STONE_MOST = 256,
    SCORE_STEP = 6, // points of the engine's score that change it by 1
    SCORE_HIGH = 1200,
    PROOF_WIDE = 1 << 20, // of stones that the engine does not name
    PROOF_ZONE = 40,      // more for a position of the opponent as long as its zone is unknown
    LEVELS = 8,           // of zones that are kept
    ENGINE_LINES = 8,
    ENGINE_MEGABYTES = 1,
};

// What has been done for a position.
typedef enum {
    STAGE_NEW,
    STAGE_TRIED,    // owner: no win by threats; opponent: one link, to the position after a pass
    STAGE_HARD,     // owner: nor in a longer search
    STAGE_EXPANDED, // has its links
    STAGE_WIDE,     // owner: links for all stones
} ProveStage;

typedef struct {
    uint32_t first_link, link_count;
    uint32_t proof, disproof;
    uint32_t zone;  // in `zones`, of a proved position; 0: not known
    uint32_t after; // proved: owner: the link that wins; opponent: the position after a pass, plus 1, or 0: all replies
    uint32_t threat_nodes; // of the search that found a win by threats; 0: none
    uint32_t parent;       // a node before it, to find the position again, and the stone from there
    uint16_t cell;
    bool is_owner;
    uint8_t stage;
} ProveNode;

typedef struct {
    uint32_t node;
    uint16_t cell;
} ProveLink;

typedef struct {
    uint64_t key;
    uint32_t node; // plus 1; 0: free
} ProveEntry;

struct Prove {
    TreeBoard board;
    Board start;
    ThreatSearch *threats;
    TreeCheck *check;
    Search *search;
    ProveOptions options;
    ProveNode *nodes;
    ProveLink *links;
    ProveEntry *entries;
    size_t node_capacity, link_capacity, entry_count;
    uint32_t node_count, link_count, zone_count;
    uint8_t *zones;
    size_t zone_capacity;
    uint64_t searches, proved;
    uint16_t line[LINE_MAX]; // stones since the start
    uint32_t line_nodes[LINE_MAX];
    unsigned length;
    unsigned symmetries;
    bool has_failed; // the log cannot be written, or memory has run out
    SearchInfo info;
};

static inline TreeStone mover(const ProveNode *node)
{
    return node->is_owner ? TREE_OWNER : TREE_OPPONENT;
}

static inline void prove_place(Prove *prove, const ProveNode *node, unsigned cell)
{
    if (cell != TREE_NONE)
        tree_board_place(&prove->board, cell, mover(node));
}

static inline void prove_take(Prove *prove, unsigned cell)
{
    if (cell != TREE_NONE)
        tree_board_take(&prove->board, cell);
}

static inline void prove_set_result(ProveNode *node, bool is_proved)
{
    node->proof = is_proved ? 0 : INFINITE;
    node->disproof = is_proved ? INFINITE : 0;
}

// The node of the position on the board.
uint32_t prove_find_node(Prove *prove, bool is_owner);

// Links the position after a stone, or after a pass (TREE_NONE).
uint32_t prove_add_link(Prove *prove, uint32_t from, unsigned cell);

// The proof number of the n-th link of the owner. Later stones of the engine count as harder, so that the search does
// not change between stones that are about as good.
static inline uint32_t prove_effort(const Prove *prove, const ProveNode *node, uint32_t n)
{
    uint32_t proof = prove->nodes[prove->links[node->first_link + n].node].proof;
    uint64_t more = n < ENGINE_LINES ? (uint64_t)proof * n : 0;
    return proof + more < INFINITE ? (uint32_t)(proof + more) : INFINITE;
}

// Finds the proof and disproof number of a node from its links.
void prove_update(Prove *prove, uint32_t at);

// A win by threats of the owner, who is to move.
bool prove_find_threats(Prove *prove, unsigned nodes, TreeWords *words);

// Finds the zone of a proved position, the one on the board; of a win by threats from its words. Searches again if it
// comes from the log.
void prove_need_zone(Prove *prove, uint32_t at);
void prove_need_threat_zone(Prove *prove, uint32_t at, const TreeWords *words);
uint8_t *prove_zone(const Prove *prove, uint32_t at);

// Results of searches, from a search or from the log: a win by threats; none; a pass as the first reply; the replies
// that need an answer of their own, where `after` is the position after a pass plus 1, or 0; stones of the owner, each
// with its proof number.
void prove_take_win(Prove *prove, ProveNode *node, unsigned nodes);
void prove_take_failure(ProveNode *node);
void prove_take_pass(Prove *prove, uint32_t at);
void prove_take_replies(Prove *prove, uint32_t at, uint32_t after, const uint16_t *cells, unsigned count);
void prove_take_stones(Prove *prove, uint32_t at, const uint16_t *cells, const uint16_t *proofs, unsigned count);
