// Wins by threats on the board of tree proofs, for games with one stone per turn and without gravity: every stone of
// the owner threatens a win by fours (fours.h), so only replies in the zone of that win matter (VCT). Proof-number
// search on an explicit tree. A win is a tree in memory that tree_check_run accepts.
#pragma once

#include "engine/prove/fours.h"

typedef struct ThreatSearch ThreatSearch;

ThreatSearch *threat_search_open(TreeBoard *board);
void threat_search_close(ThreatSearch *search); // NULL is fine

// Searches for a win of the owner, who is to move, with at most `nodes` positions. A win is added to `win`. The board
// is as before.
bool threat_search_run(ThreatSearch *search, unsigned nodes, TreeWords *win);

// Positions of the last search.
unsigned threat_search_nodes(const ThreatSearch *search);
