// Prints the results of krow analyze.
#include "cli/output/analyze_text.h"
#include "agents/agent.h"
#include "cli/output/draw.h"
#include "cli/output/threats_text.h"
#include "game/notation.h"

#include <stdarg.h>
#include <string.h>

enum {
    WIDTH_USUAL = 80,
    TREE_LINES = 200, // of the tree of answers
    CELLS_SHOWN = 10,
    THREATS_SHOWN = 20, // krow threats lists all
    BOARD_TURNS = 14,   // numbered turns per board at most: more are hard to follow
    NUMBERS_MAX = 200,
};

// --- Wrapped text ---

typedef struct {
    unsigned width, column;
    unsigned indent; // of further lines
    bool has_words;  // in this line
} Flow;

static unsigned width_of_text(void)
{
    unsigned columns = draw_style().columns;
    return columns > 0 ? columns : (unsigned)WIDTH_USUAL;
}

static Flow flow_begin(unsigned indent, unsigned further)
{
    unsigned width = width_of_text(), most = width / 2;
    indent = indent < most ? indent : most;
    (void)printf("%*s", (int)indent, "");
    return (Flow){.width = width, .column = indent, .indent = indent + further};
}

// Adds words that stay on one line.
static void flow_add(Flow *flow, const char *text)
{
    unsigned length = (unsigned)strlen(text);
    if (flow->has_words && flow->column + 1 + length > flow->width) {
        (void)printf("\n%*s", (int)flow->indent, "");
        flow->column = flow->indent;
        flow->has_words = false;
    }
    (void)printf("%s%s", flow->has_words ? " " : "", text);
    flow->column += length + flow->has_words;
    flow->has_words = true;
}

// Adds words that may wrap.
static __attribute__((format(printf, 2, 3))) void flow_say(Flow *flow, const char *format, ...)
{
    char text[160], *rest = NULL;
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        flow_add(flow, word);
}

// Adds the cells of a turn, followed by `behind`, on one line.
static void flow_add_set(Flow *flow, const CellSet *set, const char *behind)
{
    Text text = {0};
    view_add_cells(&text, set->cell, cell_set_count(set), " ");
    text_add(&text, "%s", behind);
    flow_add(flow, text.length > 0 ? text.data : "");
    text_close(&text);
}

static void flow_add_cells(Flow *flow, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        flow_add(flow, name);
    }
}

// --- Forced wins ---

// What kind of turns a forced win has.
static const char *kind_of_win(const ForcedView *forced, const Rules *rules)
{
    if (forced->is_engine)
        return "by force";
    if (forced->result.verdict == DOUBLE_THREAT_WON && forced->result.singles > 0)
        return "by threats, some of which leave free stones,";
    return rules->p == 1   ? "by threats alone"
           : rules->p == 2 ? "by double threats"
                           : "by threats that take a whole turn to stop";
}

// Adds the result of a search as the end of a sentence.
static void say_verdict(Flow *flow, const ForcedView *forced, const Rules *rules)
{
    bool won = analyze_is_won(forced), none = forced->result.verdict == DOUBLE_THREAT_NONE;
    unsigned turns = forced->result.turns;
    if (won && turns == 1) {
        flow_say(flow, "%c completes a row at once:", side_letter(forced->side));
        return;
    }
    flow_say(flow, "%c %s %s%s", side_letter(forced->side), won ? "wins" : "has no win", kind_of_win(forced, rules),
             none ? "." : "");
    if (!none)
        flow_say(flow, "in %u turn%s%s", turns, view_plural(turns), won ? "," : ";");
    if (won && forced->tree.is_whole)
        flow_say(flow, "with at most %u stones of both:", forced->tree.nodes[0].distance);
    else if (!none)
        flow_say(flow, won ? "beginning with" : "in more it was not decided within the limit.");
}

static void print_turn(unsigned number, Side side, const CellSet *turn, const char *words)
{
    Flow flow = flow_begin(0, 8);
    char text[16];
    (void)snprintf(text, sizeof text, "%4u %c", number, side_letter(side));
    flow_add(&flow, text);
    flow_add_set(&flow, turn, words);
    (void)putchar('\n');
}

// The text after an answer with free stones, followed by `more`.
enum { FREE_TEXT_SIZE = 32 };

static const char *free_words(const WinNode *node, const char *more, char text[FREE_TEXT_SIZE])
{
    if (node->free == 0)
        return more;
    if (cell_set_count(&node->answered) == 0)
        (void)snprintf(text, FREE_TEXT_SIZE, "elsewhere%s", more);
    else
        (void)snprintf(text, FREE_TEXT_SIZE, " and %u elsewhere%s", node->free, more);
    return text;
}

// The turns of a win in order, each with its number.
static void print_line(const ForcedView *forced)
{
    static const char *const ends[] = {"", ": a row", ": nothing stops all its threats"};
    unsigned line[DOUBLE_THREAT_TURNS_MAX], count = win_tree_line(&forced->tree, line);
    for (unsigned i = 0; i < count; i++) {
        const WinNode *node = &forced->tree.nodes[line[i]];
        char text[FREE_TEXT_SIZE];
        if (i > 0)
            print_turn(2 * i, side_other(forced->side), &node->answered, free_words(node, "", text));
        print_turn(2 * i + 1, forced->side, &node->turn, ends[node->end]);
    }
    if (!forced->tree.is_whole)
        print_turn(1, forced->side, &forced->result.turn, ": the answers were not stored");
}

static void print_own(const Analysis *analysis)
{
    const Rules *rules = &analysis->game->board.rules;
    const ForcedView *own = &analysis->own;
    Flow flow = flow_begin(0, 2);
    if (own->is_searched)
        say_verdict(&flow, own, rules);
    else if (rules->gravity)
        flow_say(&flow, "Forced wins are not searched in games with gravity.");
    else
        flow_say(&flow, "Forced wins are not searched with more than %d stones a turn.", WINDOW_TALLY_P_MAX);
    (void)putchar('\n');
    if (analyze_is_won(own))
        print_line(own);
}

static void print_stops(const StopsView *stops, char letter)
{
    Flow flow = flow_begin(0, 2);
    if (stops->count > 0)
        flow_say(&flow, "Single stones of %c that stop it:", letter);
    else
        flow_say(&flow,
                 stops->undecided > 0 ? "No single stone was found that stops it." : "No single stone stops it.");
    flow_add_cells(&flow, stops->cells, stops->count);
    if (stops->undecided > 0)
        flow_say(&flow, "(not decided: %u cell%s)", stops->undecided, view_plural(stops->undecided));
    (void)putchar('\n');
}

static void print_threat(const Analysis *analysis)
{
    const ForcedView *threat = &analysis->threat;
    if (!threat->is_searched)
        return;
    char letter = side_letter(side_other(threat->side));
    Flow flow = flow_begin(0, 2);
    flow_say(&flow, "If %c passed:", letter);
    say_verdict(&flow, threat, &analysis->game->board.rules);
    (void)putchar('\n');
    if (analyze_is_won(threat))
        print_line(threat);
    if (analysis->stops.is_searched)
        print_stops(&analysis->stops, letter);
}

// --- The tree of answers ---

typedef struct {
    const ForcedView *forced;
    unsigned lines;
    unsigned reported; // positions
} AnswerPrinter;

// Sibling positions, from `first` to before `end`.
typedef struct {
    unsigned first, end;
} Siblings;

static unsigned count_same(const WinTree *tree, Siblings siblings, unsigned at)
{
    unsigned count = 0;
    for (unsigned i = siblings.first; i < siblings.end; i += tree->nodes[i].size)
        count += win_tree_same(tree, at, i);
    return count;
}

// "if O answers h8 j10, h8 k10: X g7 g9": the answers with the same continuation.
static void print_group(const AnswerPrinter *printer, Siblings siblings, unsigned at, unsigned same)
{
    const WinTree *tree = &printer->forced->tree;
    const WinNode *node = &tree->nodes[at];
    Flow flow = flow_begin(2 * node->level, 4);
    flow_say(&flow, "if %c answers", side_letter(side_other(printer->forced->side)));
    for (unsigned i = siblings.first; i < siblings.end; i += tree->nodes[i].size)
        if (win_tree_same(tree, at, i)) {
            char text[FREE_TEXT_SIZE];
            flow_add_set(&flow, &tree->nodes[i].answered, free_words(&tree->nodes[i], --same > 0 ? "," : ":", text));
        }
    flow_say(&flow, "%c", side_letter(printer->forced->side));
    flow_add_set(&flow, &node->turn, node->answers > 0 ? "" : ", wins");
    (void)putchar('\n');
}

// Prints the continuations of a position, which occurs `times` times in groups reported once.
static void print_answers(AnswerPrinter *printer, unsigned at, unsigned times)
{
    const WinTree *tree = &printer->forced->tree;
    Siblings siblings = {at + 1, at + tree->nodes[at].size};
    for (unsigned i = siblings.first; i < siblings.end && printer->lines < TREE_LINES; i += tree->nodes[i].size) {
        if (count_same(tree, (Siblings){siblings.first, i}, i) > 0) // reported with an earlier one
            continue;
        unsigned same = count_same(tree, siblings, i);
        printer->lines++;
        printer->reported += same * times;
        print_group(printer, siblings, i, same);
        print_answers(printer, i, same * times);
    }
}

static void print_tree(const ForcedView *forced)
{
    const WinTree *tree = &forced->tree;
    if (tree->count <= 1)
        return;
    char letter = side_letter(forced->side), nodes[32];
    Flow flow = flow_begin(0, 4);
    AnswerPrinter printer = {.forced = forced, .reported = 1};
    (void)printf("\nAll answers to the win of %c, %s positions ('wins': nothing stops all threats):\n", letter,
                 view_number(tree->count, nodes));
    flow_say(&flow, "%c", letter);
    flow_add_set(&flow, &tree->nodes[0].turn, "");
    (void)putchar('\n');
    print_answers(&printer, 0, 1);
    if (printer.reported < tree->count)
        (void)printf("and %s more positions; --json has all\n", view_number(tree->count - printer.reported, nodes));
}

// --- Turns and cells ---

const char *analyze_score_text(const Analysis *analysis, const LineView *line, char text[ANALYZE_SCORE_SIZE])
{
    bool is_reversed = analyze_is_reversed(analysis);
    double score = is_reversed ? 0 - line->score : line->score, chance = is_reversed ? 1 - line->chance : line->chance;
    Decision decision = {.proven = is_reversed ? proven_reversed(line->proven) : line->proven,
                         .distance = line->distance};
    view_proven(&decision, text, ANALYZE_SCORE_SIZE);
    if (text[0] != '\0')
        return text;
    if (line->chance >= 0)
        (void)snprintf(text, ANALYZE_SCORE_SIZE, "%+.2f, %.0f %%", score, 100 * chance);
    else
        (void)snprintf(text, ANALYZE_SCORE_SIZE, "%g", score);
    return text;
}

// Prints the principal variation after the turn; with several stones per turn, with the sides.
static void print_expected(const Analysis *analysis, const LineView *line)
{
    if (line->pv_count <= line->count)
        return;
    const Board *board = &analysis->game->board;
    unsigned p = board->rules.p;
    Side side = side_other(board_side(board));
    Flow flow = flow_begin(5, 0);
    flow_say(&flow, "then");
    for (unsigned i = 0; i < line->pv_count - line->count; i++) {
        if (p > 1 && i % p == 0)
            flow_say(&flow, "%c", side_letter((i / p & 1) == 0 ? side : side_other(side)));
        flow_add_cells(&flow, &line->pv[line->count + i], 1);
    }
    (void)putchar('\n');
}

static void print_lines(const Analysis *analysis)
{
    (void)printf("\nBest turns, with scores by the agent that chose them%s:\n",
                 analyze_is_reversed(analysis) ? ", from X's point of view" : "");
    for (unsigned i = 0; i < analysis->line_count; i++) {
        const LineView *line = &analysis->lines[i];
        char score[ANALYZE_SCORE_SIZE];
        (void)printf("%3u. ", i + 1);
        Flow flow = {.width = width_of_text(), .column = 5, .indent = 5};
        flow_add_cells(&flow, line->stones, line->count);
        (void)printf("   %s", analyze_score_text(analysis, line, score));
        if (analysis->thinks && line->depth > 0)
            (void)printf(", depth %u", line->depth);
        (void)printf(" (%s)\n", line->by != NULL ? line->by : "forced");
        print_expected(analysis, line);
    }
}

static void print_ratings(const Analysis *analysis)
{
    Flow flow = flow_begin(0, 2);
    char text[64], name[CELL_TEXT_SIZE];
    unsigned count = analysis->cell_count < CELLS_SHOWN ? analysis->cell_count : (unsigned)CELLS_SHOWN;
    if (strcmp(analysis->rater, "exact") == 0)
        flow_say(&flow, "Exact scores of the cells:");
    else
        flow_say(&flow, "Cells rated best by %s:", analysis->rater);
    for (unsigned i = 0; i < count; i++) {
        double utility = analysis->cells[i].utility;
        cell_format(analysis->cells[i].cell, name);
        (void)snprintf(text, sizeof text, "%s %g%s", name, analyze_is_reversed(analysis) ? 0 - utility : utility,
                       i + 1 < count ? "," : "");
        flow_add(&flow, text);
    }
    (void)putchar('\n');
}

// --- Boards and summary ---

// The win that the board shows: of the side to move, or the one to stop.
static const ForcedView *shown(const Analysis *analysis)
{
    return analysis->own.tree.count > 0 ? &analysis->own : &analysis->threat;
}

// Future stones in order, with the numbers of their turns.
typedef struct {
    Side side; // of the odd turns
    unsigned count;
    Cell cells[RULES_CELLS_MAX];
    unsigned numbers[RULES_CELLS_MAX];
} Sequence;

static void sequence_add(Sequence *sequence, const CellSet *cells, unsigned number)
{
    for (unsigned i = 0; i < cell_set_count(cells); i++) {
        sequence->cells[sequence->count] = cells->cell[i];
        sequence->numbers[sequence->count++] = number;
    }
}

static void sequence_of_tree(Sequence *sequence, const ForcedView *forced)
{
    unsigned line[DOUBLE_THREAT_TURNS_MAX], count = win_tree_line(&forced->tree, line);
    sequence->side = forced->side;
    for (unsigned i = 0; i < count; i++) {
        const WinNode *node = &forced->tree.nodes[line[i]];
        sequence_add(sequence, &node->answered, 2 * i);
        sequence_add(sequence, &node->turn, 2 * i + 1);
    }
}

// The principal variation of a decided game.
static void sequence_of_line(Sequence *sequence, const Board *board, const LineView *line)
{
    sequence->side = board_side(board);
    for (unsigned i = 0; i < line->pv_count; i++) {
        sequence->cells[i] = line->pv[i];
        sequence->numbers[i] = i < line->count ? 1 : 2 + (i - line->count) / board->rules.p;
    }
    sequence->count = line->pv_count;
}

static void find_sequence(Sequence *sequence, const Analysis *analysis)
{
    const LineView *best = &analysis->lines[0];
    bool is_decided = analysis->thinks && (best->proven == PROVEN_WIN || best->proven == PROVEN_LOSS);
    sequence->count = 0;
    if (analysis->own.tree.count == 0 && is_decided && best->pv_count > best->count)
        sequence_of_line(sequence, &analysis->game->board, best);
    else
        sequence_of_tree(sequence, shown(analysis));
}

// One board with the numbers from `first` to before `end`; stones with lower numbers are drawn as played.
static void print_numbers(const Analysis *analysis, const Sequence *sequence, unsigned first, unsigned end)
{
    Game game;
    game_copy(&game, analysis->game);
    DrawNumbers numbers = {.first = (uint8_t)first, .side = sequence->side};
    for (unsigned i = 0; i < sequence->count && sequence->numbers[i] < end; i++) {
        unsigned number = sequence->numbers[i];
        if (number >= first) {
            draw_number(&numbers, sequence->cells[i], number);
            continue;
        }
        Side side = (number & 1) != 0 ? sequence->side : side_other(sequence->side);
        (void)board_set_turn(&game.board, side, 1);
        (void)board_play(&game.board, sequence->cells[i]);
    }
    draw_numbered(&game, &numbers, draw_style(), stdout);
}

// The board with the sequence, if any; a long one is split over boards with equally many turns.
static void print_boards(const Analysis *analysis)
{
    Sequence sequence;
    find_sequence(&sequence, analysis);
    unsigned turns = sequence.count > 0 ? sequence.numbers[sequence.count - 1] : 0;
    turns = turns < NUMBERS_MAX ? turns : (unsigned)NUMBERS_MAX;
    unsigned boards = turns > 0 ? (turns + BOARD_TURNS - 1) / BOARD_TURNS : 1;
    unsigned each = (turns + boards - 1) / boards;
    print_numbers(analysis, &sequence, 1, each + 1);
    draw_state(analysis->game, stdout);
    for (unsigned first = each + 1; first <= turns; first += each) {
        (void)printf("\nTurns from %u on:\n", first);
        print_numbers(analysis, &sequence, first, first + each);
    }
    if (boards > 1)
        (void)putchar('\n');
}

void analyze_print(const Analysis *analysis, bool quiet)
{
    if (!quiet)
        print_boards(analysis);
    print_own(analysis);
    print_threat(analysis);
    if (analysis->is_lost)
        (void)printf("No turn of %c stops the threats of the other side: the game is lost.\n",
                     side_letter(board_side(&analysis->game->board)));
    print_lines(analysis);
    print_ratings(analysis);
    if (quiet)
        return;
    (void)printf("\nThreats of the next turn:\n");
    threats_print(&analysis->threats[SIDE_FIRST], THREATS_SHOWN);
    threats_print(&analysis->threats[SIDE_SECOND], THREATS_SHOWN);
    print_tree(shown(analysis));
}
