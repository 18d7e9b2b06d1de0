// A game as a tree: every node is a stone, the root a position, usually the empty board. The first child of each node
// continues the main line.
#pragma once

#include "analysis/position_eval.h"

enum {
    WEB_NODES_MAX = 6000,   // stones of all variations
    WEB_COMMENT_MAX = 4000, // bytes
};

// Number of a node, from 1; 0 is the root. Numbers are never reused.
typedef uint32_t WebNodeId;

typedef PositionEval WebEval; // of the position after a stone

typedef struct {
    WebNodeId parent, child, next; // first child and next sibling; 0 for none
    WebNodeId visited;             // the child that was visited last; 0 for none
    bool is_changed;               // after the last state that was sent
    bool is_there;                 // false: deleted
    Cell cell;
    int32_t ms;       // time it took, or -1
    int64_t clock[2]; // milliseconds left of both sides after it
    WebEval eval;
    char *comment; // owned; NULL for none
    char *kept;    // owned; properties of a game file that krow does not use
} WebNode;

typedef struct {
    Board root;
    WebNode *nodes; // owned; nodes[0] is the root
    uint32_t count;
    size_t capacity;
    uint32_t there;  // nodes that were not deleted, without the root
    bool is_rebuilt; // more than single nodes has changed after the last state that was sent
} WebTree;

// A tree with only a root.
void web_tree_open(WebTree *tree, const Board *root);
void web_tree_close(WebTree *tree); // safe on a zeroed one

// A copy; stones keep their numbers.
void web_tree_copy(WebTree *copy, const WebTree *tree);

// Whether the tree has a node of this number; the root is one.
bool web_tree_has(const WebTree *tree, int64_t id);

// Plays the stones that lead to a node.
void web_tree_game(const WebTree *tree, WebNodeId id, Game *game);

// The child of a node with this stone; 0 for none.
WebNodeId web_tree_child(const WebTree *tree, WebNodeId id, Cell cell);

// Plays a legal stone: finds the child, or adds it.
Status web_tree_play(WebTree *tree, WebNodeId id, Cell cell, WebNodeId *child, Error *error);

// Deletes a node with everything after it.
void web_tree_delete(WebTree *tree, WebNodeId id);

// Makes the stones to a node the main line.
void web_tree_promote(WebTree *tree, WebNodeId id);

// Marks the path to a node, which web_tree_next follows.
void web_tree_visit(WebTree *tree, WebNodeId id);

// The next node: the one visited last, or the main line; 0 at an end.
WebNodeId web_tree_next(const WebTree *tree, WebNodeId id);

// Whether `from` is `to` or one of its ancestors.
bool web_tree_leads(const WebTree *tree, WebNodeId from, WebNodeId to);

// Replaces the comment of a node; "" and NULL for none.
void web_tree_comment(WebTree *tree, WebNodeId id, const char *text);

// Sets the evaluation of a node.
void web_tree_evaluate(WebTree *tree, WebNodeId id, const WebEval *eval);

// A state with all changes was sent.
void web_tree_sent(WebTree *tree);
