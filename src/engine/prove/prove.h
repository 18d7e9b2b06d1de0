// Proofs that a side wins on large boards, for games with one stone per turn and without gravity.
//
// Proof-number search over the positions that quiet stones lead to. A position of the owner is won if it has a win by
// threats (threats.h), else one of its stones must win; the engine orders them. For a position of the opponent, the
// search looks for a win by threats after a pass: then only replies in its zone matter, else all (tree_check.h has the
// reasons). Each step is one search of a few milliseconds, so that the search can stop and continue at any point.
//
// What the steps find is written to a log, from which another run continues without searching again.
#pragma once

#include "engine/search/search.h"
#include "solver/tree/tree_check.h"

typedef struct Prove Prove;

typedef struct {
    const Board *start; // the game is not over
    Side owner;
    unsigned threat_nodes; // for a win by threats at first; 0: PROVE_THREAT_NODES
    unsigned engine_nodes; // for the order of stones; 0: PROVE_ENGINE_NODES
    // Receives each line of the log, with its line feed; NULL: no log.
    bool (*log)(void *context, Span line);
    void *context;
    const atomic_bool *stop; // ends prove_tree; NULL: never
} ProveOptions;

enum { PROVE_THREAT_NODES = 30000, PROVE_ENGINE_NODES = 8000 };

bool prove_suits(const Rules *rules);

Status prove_open(Prove **prove, const ProveOptions *options, Error *error);
void prove_close(Prove *prove); // NULL is fine

// Applies a line of the log of an earlier run with the same options, in the same order. False if it does not fit.
bool prove_replay(Prove *prove, Span line);

// Call after the last line.
void prove_settle(Prove *prove);

typedef enum { PROVE_OPEN, PROVE_PROVED, PROVE_FAILED } ProveState; // failed: no stone that was tried wins

typedef struct {
    ProveState state;
    uint64_t positions;        // in memory
    uint64_t bytes;            // of memory
    uint64_t proved, searches; // positions of the owner with a win by threats; searches of all kinds
    uint32_t proof, disproof;
} ProveFacts;

// One more step. PROVE_OPEN until the start is decided or memory has run out (then the error is set).
ProveState prove_step(Prove *prove, Error *error);

ProveFacts prove_facts(const Prove *prove);

// A reply to the first turn, or the turns of the owner at the start, for progress.
typedef struct {
    Cell cell;
    uint32_t proof, disproof, positions; // 0 proof: proved
} ProveReply;

// The first choices: positions one stone after the start. Returns how many.
unsigned prove_replies(const Prove *prove, ProveReply *replies, unsigned most);

// The replies to the first stone: to that of the opponent at the start, or else to the stone of the owner that the
// search prefers. `stone` gets that stone or CELL_NONE, `proved` how many replies are proved. Returns how many need a
// proof; 0 if that is not known yet.
unsigned prove_count_replies(const Prove *prove, Cell *stone, unsigned *proved);

// The tree of a start that is proved; searches its wins by threats again.
Status prove_tree(Prove *prove, TreeWords *words, Error *error);
