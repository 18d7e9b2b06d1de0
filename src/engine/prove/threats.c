// Proof-number search for wins by threats.
#include "engine/prove/threats.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    FOURS_DEPTH = 20,
    FOURS_NODES = 30,
    THREAT_DEPTH = 1, // of the win by fours that a stone threatens
    THREAT_NODES = 20,
    PROOF_THREATS = 100,
    INFINITE = 1 << 28,
    LINE_MAX_LENGTH = 256,
    ENTRIES = 1 << 21,
    NODES_MAX = ENTRIES / 2,
};

// A position. Owner positions have a link for each threat, those of the opponent one for each reply in the zone.
typedef struct {
    uint32_t first_link, link_count;
    uint32_t proof, disproof;
    uint32_t win, win_words; // in `words`: a win by fours, or the win by fours after a pass
    bool is_owner, is_expanded, is_four;
} Node;

typedef struct {
    uint32_t node;
    uint16_t cell; // the stone that leads there
} Link;

typedef struct {
    uint64_t key;
    uint32_t node, run;
} Entry;

struct ThreatSearch {
    TreeBoard *board;
    FoursSearch *fours;
    TreeCheck *check;
    Node *nodes;
    Link *links;
    Entry *entries; // positions of this run
    size_t node_capacity, link_capacity, entry_mask;
    unsigned node_count, link_count;
    uint32_t run;
    TreeWords words;
    uint8_t zone[RULES_CELLS_MAX];
};

ThreatSearch *threat_search_open(TreeBoard *board)
{
    ThreatSearch *search = memory_new(1, sizeof *search);
    search->board = board;
    search->fours = fours_search_open(board);
    search->check = tree_check_open(board);
    search->entry_mask = ENTRIES - 1;
    search->entries = memory_new(ENTRIES, sizeof *search->entries);
    return search;
}

void threat_search_close(ThreatSearch *search)
{
    if (search == NULL)
        return;
    fours_search_close(search->fours);
    tree_check_close(search->check);
    tree_words_close(&search->words);
    free(search->nodes);
    free(search->links);
    free(search->entries);
    free(search);
}

unsigned threat_search_nodes(const ThreatSearch *search)
{
    return search->node_count;
}

// The node of the position on the board. If the position is new, adds a node and sets `is_new`.
static uint32_t find_node(ThreatSearch *search, bool is_owner, bool *is_new)
{
    uint64_t key = search->board->key ^ (is_owner ? 0 : UINT64_C(0x9e3779b97f4a7c15));
    size_t at = key & search->entry_mask;
    while (search->entries[at].run == search->run && search->entries[at].key != key)
        at = (at + 1) & search->entry_mask;
    *is_new = search->entries[at].run != search->run;
    if (!*is_new)
        return search->entries[at].node;
    search->nodes = array_grow(search->nodes, &search->node_capacity, search->node_count + 1, sizeof *search->nodes);
    uint32_t node = search->node_count++;
    search->nodes[node] = (Node){.is_owner = is_owner, .proof = 1, .disproof = 1};
    search->entries[at] = (Entry){key, node, search->run};
    return node;
}

static void add_link(ThreatSearch *search, uint32_t from, uint32_t to, unsigned cell)
{
    search->links = array_grow(search->links, &search->link_capacity, search->link_count + 1, sizeof *search->links);
    Node *node = &search->nodes[from];
    if (node->link_count == 0)
        node->first_link = search->link_count;
    search->links[search->link_count++] = (Link){to, (uint16_t)cell};
    node->link_count++;
}

static void set_result(Node *node, bool is_proved)
{
    node->proof = is_proved ? 0 : INFINITE;
    node->disproof = is_proved ? INFINITE : 0;
}

// Adds a win by fours of the owner, who is to move, to the words.
static bool find_fours(ThreatSearch *search, unsigned depth, unsigned nodes, Node *node)
{
    size_t before = search->words.count;
    bool wins = fours_search_run(search->fours, depth, nodes, &search->words);
    node->win = (uint32_t)before;
    node->win_words = (uint32_t)(search->words.count - before);
    return wins;
}

// --- Positions of the owner ---

// Marks cells that may threaten: 2 for fours, 1 for others.
static void mark_threats(const TreeBoard *board, uint8_t *marks)
{
    bool has_four = false;
    uint8_t threes[RULES_CELLS_MAX];
    memset(marks, 0, board->cell_count);
    memset(threes, 0, board->cell_count);
    for (unsigned lacks = 2; lacks <= 3 && lacks <= board->k; lacks++)
        for (unsigned group = 0; group < board->padded_rows / TREE_GROUP; group++)
            for (uint32_t rows = tree_rows_with(board, TREE_OWNER, group, board->k - lacks); rows != 0;
                 rows &= rows - 1) {
                unsigned row = group * TREE_GROUP + bits_lowest(rows);
                const uint16_t *cells = tree_row(board, row);
                if (!tree_board_counts(board, TREE_OWNER, row))
                    continue;
                has_four |= lacks == 2;
                for (unsigned i = 0; i < board->k; i++)
                    if (board->stone[cells[i]] == TREE_EMPTY) {
                        if (lacks == 2)
                            marks[cells[i]] = 2;
                        else
                            threes[cells[i]]++;
                    }
            }
    for (unsigned cell = 0; cell < board->cell_count; cell++)
        if (marks[cell] == 0 && threes[cell] + has_four >= 2)
            marks[cell] = 1;
}

static unsigned count_threats(const TreeBoard *board)
{
    uint8_t marks[RULES_CELLS_MAX];
    unsigned count = 0;
    mark_threats(board, marks);
    for (unsigned cell = 0; cell < board->cell_count; cell++)
        count += marks[cell] > 0;
    return count;
}

// First proof numbers: the more threats the owner has, the easier it wins. This makes the search find wins with 1 to 5
// % of the positions that it needs if all first proof numbers are 1.
static void evaluate(ThreatSearch *search, uint32_t at)
{
    Node *node = &search->nodes[at];
    unsigned cell, threats;
    if (find_fours(search, FOURS_DEPTH, FOURS_NODES, node)) {
        set_result(node, true);
    } else if (fours_completing(search->board, TREE_OPPONENT, &cell) > 1) {
        set_result(node, false);
    } else {
        threats = count_threats(search->board);
        node->proof = 1 + PROOF_THREATS / (1 + threats);
        node->disproof = 1 + threats;
    }
}

// The words of a win by fours.
static TreeWords words_of(const ThreatSearch *search, const Node *node)
{
    return node->win_words > 0 ? (TreeWords){search->words.words + node->win, node->win_words, 0} : (TreeWords){0};
}

static void find_zone(ThreatSearch *search, const Node *node)
{
    TreeWords words = words_of(search, node);
    TreeWordsReader reader = {&words, 0};
    TreeSource source = tree_words_source(&reader);
    TreeFacts facts;
    TreeTurn turn = {TREE_OWNER, 1};
    memset(search->zone, TREE_NEVER, search->board->cell_count);
    if (!tree_check_run(search->check, turn, &source, NULL, &facts, 1, search->zone))
        memset(search->zone, 1, search->board->cell_count); // cannot happen: wins by fours are right
}

static unsigned zone_size(ThreatSearch *search, const Node *node)
{
    unsigned size = 0;
    find_zone(search, node);
    for (unsigned cell = 0; cell < search->board->cell_count; cell++)
        size += search->board->stone[cell] == TREE_EMPTY && search->zone[cell] <= 1;
    return size;
}

// Links the position after this stone, if it threatens a win by fours.
static void add_threat(ThreatSearch *search, uint32_t from, unsigned cell)
{
    TreeBoard *board = search->board;
    unsigned target;
    bool is_new;
    tree_board_place(board, cell, TREE_OWNER);
    uint32_t at = find_node(search, false, &is_new);
    if (is_new) {
        Node found = {0};
        bool is_four = fours_completing(board, TREE_OWNER, &target) > 0;
        bool threatens = is_four || (fours_completing(board, TREE_OPPONENT, &target) == 0 &&
                                     find_fours(search, THREAT_DEPTH, THREAT_NODES, &found));
        Node *node = &search->nodes[at];
        node->is_four = is_four;
        node->win = found.win;
        node->win_words = found.win_words;
        if (!threatens)
            set_result(node, false);
        else
            node->proof = is_four ? 1 : zone_size(search, node);
    }
    tree_board_take(board, cell);
    if (search->nodes[at].disproof != 0)
        add_link(search, from, at, cell);
}

static void expand_owner(ThreatSearch *search, uint32_t at)
{
    TreeBoard *board = search->board;
    uint8_t marks[RULES_CELLS_MAX];
    unsigned only;
    (void)fours_completing(board, TREE_OPPONENT, &only);
    if (only == TREE_NONE) {
        mark_threats(board, marks);
    } else {
        memset(marks, 0, board->cell_count);
        marks[only] = 1;
    }
    for (unsigned cell = 0; cell < board->cell_count; cell++)
        if (marks[cell] > 0)
            add_threat(search, at, cell);
}

// --- Positions of the opponent ---

static void expand_opponent(ThreatSearch *search, uint32_t at)
{
    TreeBoard *board = search->board;
    find_zone(search, &search->nodes[at]);
    for (unsigned cell = 0; cell < board->cell_count; cell++) {
        if (board->stone[cell] != TREE_EMPTY || search->zone[cell] > 1)
            continue;
        bool is_new;
        tree_board_place(board, cell, TREE_OPPONENT);
        uint32_t child = find_node(search, true, &is_new);
        if (is_new)
            evaluate(search, child);
        tree_board_take(board, cell);
        add_link(search, at, child, cell);
        if (search->nodes[child].disproof == 0)
            break;
    }
}

// --- The search ---

static void update(ThreatSearch *search, uint32_t at)
{
    Node *node = &search->nodes[at];
    uint64_t sum = 0;
    uint32_t least = INFINITE;
    for (uint32_t i = 0; i < node->link_count; i++) {
        const Node *child = &search->nodes[search->links[node->first_link + i].node];
        sum += node->is_owner ? child->disproof : child->proof;
        uint32_t one = node->is_owner ? child->proof : child->disproof;
        least = one < least ? one : least;
    }
    if (sum > INFINITE)
        sum = INFINITE;
    node->proof = node->is_owner ? least : (uint32_t)sum;
    node->disproof = node->is_owner ? (uint32_t)sum : least;
}

static const Link *most_proving(const ThreatSearch *search, uint32_t at)
{
    const Node *node = &search->nodes[at];
    const Link *best = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < node->link_count; i++) {
        const Link *link = &search->links[node->first_link + i];
        const Node *child = &search->nodes[link->node];
        uint32_t one = node->is_owner ? child->proof : child->disproof;
        if (one < least && child->proof != 0 && child->disproof != 0) {
            least = one;
            best = link;
        }
    }
    return best;
}

// Descends to the most-proving position, expands it and updates the line. Positions are shared, so a number may be
// outdated until the next descent.
static void step(ThreatSearch *search)
{
    TreeBoard *board = search->board;
    uint32_t line[LINE_MAX_LENGTH], at = 0;
    uint16_t cells[LINE_MAX_LENGTH];
    unsigned length = 0;
    while (search->nodes[at].is_expanded) {
        const Link *link = most_proving(search, at);
        if (link == NULL)
            break;
        tree_board_place(board, link->cell, search->nodes[at].is_owner ? TREE_OWNER : TREE_OPPONENT);
        line[length] = at;
        cells[length++] = link->cell;
        at = link->node;
    }
    if (!search->nodes[at].is_expanded) {
        search->nodes[at].is_expanded = true;
        if (search->nodes[at].is_owner)
            expand_owner(search, at);
        else
            expand_opponent(search, at);
    }
    update(search, at);
    while (length > 0) {
        tree_board_take(board, cells[--length]);
        update(search, line[length]);
    }
}

static void add_words(const ThreatSearch *search, uint32_t at, TreeWords *win)
{
    const Node *node = &search->nodes[at];
    TreeWords own = words_of(search, node);
    if (!node->is_owner) {
        if (!node->is_four) {
            tree_words_add(win, TREE_WORD_DEFAULT);
            tree_words_append(win, &own);
        }
        for (uint32_t i = 0; i < node->link_count; i++)
            add_words(search, search->links[node->first_link + i].node, win);
        return;
    }
    if (!node->is_expanded) {
        tree_words_append(win, &own);
        return;
    }
    uint32_t i = node->first_link;
    while (search->nodes[search->links[i].node].proof != 0)
        i++;
    tree_words_add(win, search->links[i].cell);
    add_words(search, search->links[i].node, win);
}

bool threat_search_run(ThreatSearch *search, unsigned nodes, TreeWords *win)
{
    bool is_new;
    search->node_count = search->link_count = 0;
    search->words.count = 0;
    search->run++;
    fours_search_clear(search->fours);
    while (search->entry_mask + 1 < 4 * (size_t)nodes && search->entry_mask + 1 < ENTRIES)
        search->entry_mask = search->entry_mask * 2 + 1;
    while (search->entry_mask + 1 > 8 * (size_t)nodes && search->entry_mask > 1024)
        search->entry_mask /= 2;
    uint32_t root = find_node(search, true, &is_new);
    evaluate(search, root);
    if (nodes > NODES_MAX)
        nodes = NODES_MAX;
    while (search->nodes[root].proof != 0 && search->nodes[root].disproof != 0 && search->node_count < nodes)
        step(search);
    bool wins = search->nodes[root].proof == 0;
    if (wins)
        add_words(search, root, win);
    return wins;
}
