// The tree of a game and its variations.
#include "web/session/tree.h"

#include "base/memory.h"

#include <stdlib.h>

static WebNodeId add_node(WebTree *tree, WebNode node)
{
    tree->nodes = array_grow(tree->nodes, &tree->capacity, tree->count + 1u, sizeof *tree->nodes);
    tree->nodes[tree->count] = node;
    return tree->count++;
}

void web_tree_open(WebTree *tree, const Board *root)
{
    *tree = (WebTree){.is_rebuilt = true};
    board_copy(&tree->root, root);
    (void)add_node(tree, (WebNode){.is_there = true, .cell = CELL_NONE, .ms = -1});
}

static void clear(WebNode *node)
{
    free(node->comment);
    free(node->kept);
    node->comment = node->kept = NULL;
}

void web_tree_close(WebTree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++)
        clear(&tree->nodes[i]);
    free(tree->nodes);
    *tree = (WebTree){0};
}

void web_tree_copy(WebTree *copy, const WebTree *tree)
{
    *copy = (WebTree){.count = tree->count, .there = tree->there, .is_rebuilt = true};
    board_copy(&copy->root, &tree->root);
    copy->nodes = array_grow(NULL, &copy->capacity, tree->count, sizeof *copy->nodes);
    for (uint32_t i = 0; i < tree->count; i++) {
        WebNode *node = &copy->nodes[i];
        *node = tree->nodes[i];
        node->comment = node->comment != NULL ? memory_copy_text(node->comment) : NULL;
        node->kept = node->kept != NULL ? memory_copy_text(node->kept) : NULL;
    }
}

bool web_tree_has(const WebTree *tree, int64_t id)
{
    return id >= 0 && id < tree->count && tree->nodes[id].is_there;
}

void web_tree_game(const WebTree *tree, WebNodeId id, Game *game)
{
    Cell stones[RULES_CELLS_MAX];
    unsigned count = 0;
    for (; id != 0; id = tree->nodes[id].parent)
        stones[count++] = tree->nodes[id].cell;
    game_init_from(game, &tree->root);
    while (count > 0)
        game_play(game, stones[--count]);
}

WebNodeId web_tree_child(const WebTree *tree, WebNodeId id, Cell cell)
{
    WebNodeId child = tree->nodes[id].child;
    while (child != 0 && tree->nodes[child].cell != cell)
        child = tree->nodes[child].next;
    return child;
}

Status web_tree_play(WebTree *tree, WebNodeId id, Cell cell, WebNodeId *child, Error *error)
{
    *child = web_tree_child(tree, id, cell);
    if (*child != 0)
        return STATUS_OK;
    // Numbers are never reused; deleted ones count a little, so that a tree cannot grow for ever.
    if (tree->there >= WEB_NODES_MAX || tree->count >= 8 * WEB_NODES_MAX)
        return error_set(error, STATUS_FAILED, "the game already has the maximum of %d stones in all variations",
                         WEB_NODES_MAX);
    *child = add_node(tree, (WebNode){.parent = id, .is_there = true, .is_changed = true, .cell = cell, .ms = -1});
    tree->there++;
    WebNodeId *at = &tree->nodes[id].child;
    while (*at != 0)
        at = &tree->nodes[*at].next;
    *at = *child;
    return STATUS_OK;
}

// The member that holds the number of a node: in its parent or its previous sibling.
static WebNodeId *place_of(WebTree *tree, WebNodeId id)
{
    WebNodeId *at = &tree->nodes[tree->nodes[id].parent].child;
    while (*at != id)
        at = &tree->nodes[*at].next;
    return at;
}

void web_tree_delete(WebTree *tree, WebNodeId id)
{
    WebNode *parent = &tree->nodes[tree->nodes[id].parent];
    tree->is_rebuilt = true;
    *place_of(tree, id) = tree->nodes[id].next;
    if (parent->visited == id)
        parent->visited = 0;
    tree->nodes[id].next = 0;
    tree->nodes[id].is_there = false;
    // A child always has a larger number than its parent.
    for (WebNodeId i = id; i < tree->count; i++) {
        WebNode *node = &tree->nodes[i];
        if (i > id && (!node->is_there || tree->nodes[node->parent].is_there))
            continue;
        node->is_there = false;
        clear(node);
        tree->there--;
    }
}

void web_tree_promote(WebTree *tree, WebNodeId id)
{
    tree->is_rebuilt = true;
    for (; id != 0; id = tree->nodes[id].parent) {
        WebNode *parent = &tree->nodes[tree->nodes[id].parent];
        *place_of(tree, id) = tree->nodes[id].next;
        tree->nodes[id].next = parent->child;
        parent->child = id;
    }
}

void web_tree_visit(WebTree *tree, WebNodeId id)
{
    for (; id != 0; id = tree->nodes[id].parent)
        tree->nodes[tree->nodes[id].parent].visited = id;
}

WebNodeId web_tree_next(const WebTree *tree, WebNodeId id)
{
    const WebNode *node = &tree->nodes[id];
    return node->visited != 0 ? node->visited : node->child;
}

bool web_tree_leads(const WebTree *tree, WebNodeId from, WebNodeId to)
{
    while (to > from)
        to = tree->nodes[to].parent;
    return to == from;
}

void web_tree_comment(WebTree *tree, WebNodeId id, const char *text)
{
    free(tree->nodes[id].comment);
    tree->nodes[id].comment = text != NULL && text[0] != '\0' ? memory_copy_text(text) : NULL;
    tree->nodes[id].is_changed = true;
}

void web_tree_evaluate(WebTree *tree, WebNodeId id, const WebEval *eval)
{
    tree->nodes[id].eval = *eval;
    tree->nodes[id].is_changed = true;
}

void web_tree_sent(WebTree *tree)
{
    tree->is_rebuilt = false;
    for (uint32_t i = 0; i < tree->count; i++)
        tree->nodes[i].is_changed = false;
}
