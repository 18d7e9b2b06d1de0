// The log of an earlier run, and the tree of a proof.
#include "engine/prove/prove_internal.h"

// --- The log of an earlier run ---

// Places the stones that lead to a node, or takes them.
static void go_to(Prove *prove, uint32_t at)
{
    if (at == 0)
        return;
    uint32_t parent = prove->nodes[at].parent;
    go_to(prove, parent);
    prove_place(prove, &prove->nodes[parent], prove->nodes[at].cell);
}

static void go_back(Prove *prove, uint32_t at)
{
    for (; at != 0; at = prove->nodes[at].parent)
        prove_take(prove, prove->nodes[at].cell);
}

static bool are_empty(const Prove *prove, const uint16_t *cells, unsigned count)
{
    unsigned i = 0;
    while (i < count && cells[i] < prove->board.cell_count && prove->board.stone[cells[i]] == TREE_EMPTY)
        i++;
    return i == count;
}

static bool apply(Prove *prove, uint32_t at, char what, uint32_t number, const uint16_t *cells, unsigned count)
{
    ProveNode *node = &prove->nodes[at];
    bool has_proofs = what == 'o' && 2 * number == count;
    bool is_open = node->proof != 0 && node->disproof != 0 && are_empty(prove, cells, has_proofs ? number : count);
    if (what == 'l' && is_open)
        prove_set_result(node, false);
    else if (what == 'w' && is_open && node->is_owner && number > 0)
        prove_take_win(prove, node, number);
    else if (what == 'f' && is_open && node->is_owner && node->stage < STAGE_HARD)
        prove_take_failure(node);
    else if (has_proofs && is_open && node->is_owner && node->stage == STAGE_HARD && number <= ENGINE_LINES)
        prove_take_stones(prove, at, cells, cells + number, number);
    else if (what == 'm' && is_open && node->is_owner && node->stage == STAGE_EXPANDED)
        prove_take_stones(prove, at, cells, NULL, count);
    else if (what == 'p' && is_open && !node->is_owner && node->stage == STAGE_NEW)
        prove_take_pass(prove, at);
    else if (is_open && ((what == 'a' && !node->is_owner && node->stage == STAGE_NEW) ||
                         (what == 'd' && !node->is_owner && node->stage == STAGE_TRIED && number > 0 &&
                          number <= prove->node_count)))
        prove_take_replies(prove, at, number, cells, count);
    else
        return false;
    return is_open;
}

bool prove_replay(Prove *prove, Span line)
{
    Span word;
    int64_t at = 0, number = 0, cell = 0;
    uint16_t cells[RULES_CELLS_MAX] = {0};
    unsigned count = 0;
    if (!span_next_word(&line, " ", &word) || !span_to_int(word, 0, (int64_t)prove->node_count - 1, &at) ||
        !span_next_word(&line, " ", &word) || word.length != 1)
        return false;
    char what = word.at[0];
    if (!span_next_word(&line, " ", &word) || !span_to_int(word, 0, UINT32_MAX, &number))
        return false;
    for (; span_next_word(&line, " ", &word); cells[count++] = (uint16_t)cell)
        if (count == RULES_CELLS_MAX || !span_to_int(word, 0, RULES_CELLS_MAX - 1, &cell))
            return false;
    go_to(prove, (uint32_t)at);
    bool fits = apply(prove, (uint32_t)at, what, (uint32_t)number, cells, count);
    go_back(prove, (uint32_t)at);
    return fits;
}

void prove_settle(Prove *prove)
{
    for (bool changes = true; changes;) {
        changes = false;
        for (uint32_t at = prove->node_count; at-- > 0;) {
            uint32_t proof = prove->nodes[at].proof, disproof = prove->nodes[at].disproof;
            prove_update(prove, at);
            changes |= proof != prove->nodes[at].proof || disproof != prove->nodes[at].disproof;
        }
    }
}

// --- The tree ---

static bool add_owner_words(Prove *prove, uint32_t at, TreeWords *words);

static bool add_words_after(Prove *prove, uint32_t from, const ProveLink *link, TreeWords *words,
                            bool (*add)(Prove *prove, uint32_t at, TreeWords *words))
{
    prove_place(prove, &prove->nodes[from], link->cell);
    bool holds = add(prove, link->node, words);
    prove_take(prove, link->cell);
    return holds;
}

static bool add_opponent_words(Prove *prove, uint32_t at, TreeWords *words)
{
    const ProveNode *node = &prove->nodes[at];
    bool holds = true;
    if (tree_board_completes(&prove->board, TREE_OWNER, 1) == prove->board.row_count)
        tree_words_add(words, node->after > 0 ? TREE_WORD_DEFAULT : TREE_WORD_ALL);
    if (node->after > 0)
        holds = add_owner_words(prove, node->after - 1, words);
    for (uint32_t i = 0; i < node->link_count && holds; i++)
        holds = add_words_after(prove, at, &prove->links[node->first_link + i], words, add_owner_words);
    return holds;
}

static bool add_owner_words(Prove *prove, uint32_t at, TreeWords *words)
{
    const ProveNode *node = &prove->nodes[at];
    if (stop_is_raised(prove->options.stop))
        return false;
    if (node->threat_nodes > 0)
        return prove_find_threats(prove, node->threat_nodes, words);
    const ProveLink *link = &prove->links[node->after];
    tree_words_add(words, link->cell);
    return add_words_after(prove, at, link, words, add_opponent_words);
}

Status prove_tree(Prove *prove, TreeWords *words, Error *error)
{
    assert(prove->nodes[0].proof == 0);
    bool holds = prove->nodes[0].is_owner ? add_owner_words(prove, 0, words) : add_opponent_words(prove, 0, words);
    if (holds)
        return STATUS_OK;
    return stop_is_raised(prove->options.stop)
               ? error_set(error, STATUS_INTERRUPTED, "interrupted")
               : error_set(error, STATUS_FAILED,
                           "a win by threats was not found again: the log is not that of this "
                           "version of krow");
}
