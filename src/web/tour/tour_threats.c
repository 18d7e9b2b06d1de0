// The first paper's lenses: threats counted three ways, threats that need several turns, and agents built on them.
#include "web/tour/tour_internal.h"

#include "analysis/analyze_parts.h"
#include "base/memory.h"
#include "game/notation.h"
#include "papers/levin/generalised.h"
#include "threats/threats.h"
#include "view/json_view.h"

#include <math.h>
#include <stdlib.h>

// --- Threats ---

typedef struct {
    const Board *board;
    Side side;
    unsigned all_count, count; // windows of the board, and those that are threats
    Window *all, *windows;     // owned
    unsigned found[2];         // by each way of marking
    ThreatScanStep *steps[2];  // owned
    ThreatAnswers answers;
} Threats;

static void find_threats(Threats *threats, const Board *board, Side side)
{
    size_t most = 4 * (size_t)board->rules.width * board->rules.height; // windows
    *threats = (Threats){.board = board, .side = side};
    threats->all = memory_new(most, sizeof threats->all[0]);
    threats->windows = memory_new(most, sizeof threats->windows[0]);
    for (unsigned i = 0; i < 2; i++)
        threats->steps[i] = memory_new(most, sizeof threats->steps[i][0]);
    threats->all_count = windows_all(board, threats->all);
    threats->count = threats_windows(board, side, threats->windows);
    for (unsigned i = 0; i < 2; i++)
        threats->found[i] = threats_scan(board, side, (ThreatsMarking)i, threats->steps[i]);
    threats_answers(board, side, &threats->answers);
}

static void close_threats(Threats *threats)
{
    threats_answers_close(&threats->answers);
    for (unsigned i = 0; i < 2; i++)
        free(threats->steps[i]);
    free(threats->windows);
    free(threats->all);
}

// The letter of a threat window: its place among those.
static void label_of(const Threats *threats, Window window, char label[TOUR_LABEL_SIZE])
{
    unsigned place = 0;
    while (threats->windows[place].line != window.line || threats->windows[place].low != window.low)
        place++;
    tour_label(place, threats->side, label);
}

static void mark_numbers(const Threats *threats, ThreatsMarking marking, TourPicture *picture)
{
    for (unsigned i = 0; i < threats->found[marking]; i++) {
        const ThreatScanStep *step = &threats->steps[marking][i];
        Cell cells[RULES_SIDE_MAX];
        char label[TOUR_LABEL_SIZE];
        label_of(threats, step->window, label);
        unsigned count = window_cells(threats->board, step->window.line, step->marks, cells);
        for (unsigned j = 0; j < count; j++)
            tour_mark(picture, &(TourMark){"number", &cells[j], 1, NULL, label, i + 1, false});
    }
}

static unsigned windows_with(const Threats *threats, Cell cell)
{
    unsigned count = 0;
    for (unsigned i = 0; i < threats->count; i++) {
        Cell cells[RULES_SIDE_MAX];
        unsigned length = window_cells(threats->board, threats->windows[i].line,
                                       window_bits(threats->board, threats->windows[i]), cells);
        for (unsigned j = 0; j < length; j++)
            count += cells[j] == cell;
    }
    return count;
}

// Of all answers the one whose cells stand in most windows is shown: it comes first.
static void choose_answer(Threats *threats)
{
    ThreatAnswers *answers = &threats->answers;
    unsigned best = 0, most = 0;
    for (unsigned i = 0; i < answers->count; i++) {
        unsigned windows = 0;
        for (unsigned j = 0; j < answers->size; j++)
            windows += windows_with(threats, answers->cells[i * answers->size + j]);
        best = windows > most ? i : best;
        most = windows > most ? windows : most;
    }
    for (unsigned j = 0; j < answers->size && answers->count > 0; j++) {
        Cell cell = answers->cells[j];
        answers->cells[j] = answers->cells[best * answers->size + j];
        answers->cells[best * answers->size + j] = cell;
    }
}

// The shown answer, followed by the cells of other answers.
static void mark_answers(const Threats *threats, TourPicture *picture)
{
    const ThreatAnswers *answers = &threats->answers;
    const char *side = side_name(side_other(threats->side));
    uint64_t seen[RULES_SIDE_MAX] = {0};
    for (unsigned i = 0; i < answers->count * answers->size; i++) {
        Cell cell = answers->cells[i];
        if ((seen[cell_row(cell)] & cell_bit_in_row(cell)) == 0)
            tour_mark(picture, &(TourMark){"answer", &cell, 1, side, NULL, NAN, i >= answers->size});
        seen[cell_row(cell)] |= cell_bit_in_row(cell);
    }
}

static json_t *scan_steps(const Threats *threats, ThreatsMarking marking)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < threats->found[marking]; i++) {
        const ThreatScanStep *step = &threats->steps[marking][i];
        Cell cells[RULES_SIDE_MAX];
        char label[TOUR_LABEL_SIZE];
        label_of(threats, step->window, label);
        unsigned count = window_cells(threats->board, step->window.line, step->marks, cells);
        (void)json_array_append_new(list, json_pack("{s:i, s:s, s:o}", "at", (int)step->place, "label", label, "marks",
                                                    view_cells(cells, count)));
    }
    return list;
}

static json_t *scan_json(const Threats *threats, ThreatsMarking marking)
{
    json_t *windows = json_array();
    for (unsigned i = 0; i < threats->all_count; i++) {
        Cell cells[RULES_SIDE_MAX] = {0};
        Window window = threats->all[i];
        unsigned count = window_cells(threats->board, window.line, window_bits(threats->board, window), cells);
        Cell ends[2] = {cells[0], cells[count - 1]};
        (void)json_array_append_new(windows, view_cells(ends, 2));
    }
    return json_pack("{s:i, s:o, s:s, s:o, s:o}", "total", (int)threats->all_count, "windows", windows, "method",
                     marking == THREATS_MARK_LAST ? "sliding" : "marked", "sliding",
                     scan_steps(threats, THREATS_MARK_LAST), "marked", scan_steps(threats, THREATS_MARK_ALL));
}

// --- Threats in words ---

// Compares a count with the exact one, which ends at p + 1.
static TourVerdict judge(const Threats *threats, unsigned count)
{
    unsigned exact = threats->answers.exact.count, p = threats->board->rules.p;
    if (threats->answers.exact.is_uncertain)
        return TOUR_NO_VERDICT;
    if (count < exact)
        return TOUR_LOW;
    return count > exact && exact <= p ? TOUR_HIGH : TOUR_RIGHT;
}

static const char *number_word(unsigned number, char text[16])
{
    static const char *const words[] = {"none", "one", "two", "three", "four", "five", "six"};
    (void)snprintf(text, 16, "%u", number);
    return number < sizeof words / sizeof words[0] ? words[number] : text;
}

static void describe_count(const Threats *threats, const char *label, unsigned count, TourPicture *picture)
{
    char text[16];
    unsigned exact = threats->answers.exact.count;
    TourVerdict verdict = judge(threats, count);
    if (verdict == TOUR_HIGH)
        tour_judged_fact(picture, label, json_integer(count), verdict, "%s too many", number_word(count - exact, text));
    else if (verdict == TOUR_LOW)
        tour_judged_fact(picture, label, json_integer(count), verdict, "%s too few", number_word(exact - count, text));
    else
        tour_judged_fact(picture, label, json_integer(count), verdict, "%s", "");
}

static void describe_exact(const Threats *threats, TourPicture *picture)
{
    const ThreatAnswers *answers = &threats->answers;
    Text words = {0};
    view_add_cells(&words, answers->cells, answers->count > 0 ? answers->size : 0, " ");
    if (answers->count > 1)
        text_add(&words, " or %s%u more", answers->is_truncated ? "at least " : "", answers->count - 1);
    bool no_turn = answers->exact.count > threats->board->rules.p;
    if (no_turn)
        text_add(&words, "no turn stops them all");
    tour_judged_fact(picture, "Exact", json_integer(answers->exact.count),
                     answers->exact.is_uncertain ? TOUR_NO_VERDICT : TOUR_RIGHT, "%s",
                     words.data != NULL ? words.data : "");
    text_close(&words);
}

// "i5 for A and e4 for B", by one way of marking; windows that it never counts are named afterwards.
static void describe_marks(const Threats *threats, ThreatsMarking marking, Text *caption)
{
    enum { LISTED_MOST = 4 };
    unsigned found = threats->found[marking], listed = found < LISTED_MOST ? found : LISTED_MOST;
    for (unsigned i = 0; i < listed; i++) {
        const ThreatScanStep *step = &threats->steps[marking][i];
        Cell cells[RULES_SIDE_MAX];
        char label[TOUR_LABEL_SIZE];
        unsigned count = window_cells(threats->board, step->window.line, step->marks, cells);
        label_of(threats, step->window, label);
        text_add(caption, "%s", i == 0 ? "" : i + 1 < found ? ", " : " and ");
        for (unsigned j = 0; j < count; j++) {
            char name[CELL_TEXT_SIZE];
            cell_format(cells[j], name);
            text_add(caption, "%s%s", j == 0 ? "" : j + 1 < count ? ", " : " and ", name);
        }
        text_add(caption, " for %s", label);
    }
    if (listed < found)
        text_add(caption, " and so on");
}

static void describe_passed_over(const Threats *threats, ThreatsMarking marking, Text *caption)
{
    unsigned passed = threats->count - threats->found[marking], listed = 0;
    if (passed == 0)
        return;
    text_add(caption, ", so ");
    if (passed > 4) {
        text_add(caption, "%u more windows are never counted", passed);
        return;
    }
    for (unsigned i = 0, next = 0; i < threats->count; i++) {
        const ThreatScanStep *step = &threats->steps[marking][next];
        Window window = threats->windows[i];
        char label[TOUR_LABEL_SIZE];
        if (next < threats->found[marking] && step->window.line == window.line && step->window.low == window.low) {
            next++;
            continue;
        }
        tour_label(i, threats->side, label);
        text_add(caption, "%s%s", listed == 0 ? "" : listed + 1 < passed ? ", " : " and ", label);
        listed++;
    }
    text_add(caption, passed == 1 ? " is never counted" : " are never counted");
}

static void describe_truth(const Threats *threats, unsigned counted, Text *caption)
{
    const ThreatAnswers *answers = &threats->answers;
    TourVerdict verdict = judge(threats, counted);
    if (verdict == TOUR_HIGH && answers->count > 0) {
        text_add(caption, " Yet ");
        view_add_cells(caption, answers->cells, answers->size, " ");
        text_add(caption, threats->count == 2 ? " stops both." : " stops them all.");
    } else if (verdict == TOUR_LOW && answers->count > 0) {
        text_add(caption, " Yet it takes %u stones to stop them all.", answers->size);
    } else if (answers->exact.count > threats->board->rules.p) {
        text_add(caption, " No turn stops them all.");
    }
}

static void describe_threats(const Threats *threats, ThreatsMarking marking, TourPicture *picture)
{
    Text *caption = &picture->caption;
    if (threats->count == 0) {
        text_add(caption, "%s has no threat.", web_side_name(&threats->board->rules, threats->side));
    } else {
        text_add(caption, "The scan marks ");
        describe_marks(threats, marking, caption);
        describe_passed_over(threats, marking, caption);
        text_add(caption, ".");
        describe_truth(threats, threats->found[marking], caption);
    }
    describe_count(threats, "Mark the last cell", threats->found[THREATS_MARK_LAST], picture);
    describe_count(threats, "Mark every cell", threats->found[THREATS_MARK_ALL], picture);
    describe_exact(threats, picture);
}

static Status look_at_threats(TourPicture *picture)
{
    ThreatsMarking marking = (ThreatsMarking)picture->task->option;
    Threats threats;
    find_threats(&threats, picture->board, TOUR_SIDE);
    choose_answer(&threats);
    tour_mark_windows(picture, threats.board, threats.side, threats.windows, threats.count);
    mark_answers(&threats, picture);
    mark_numbers(&threats, marking, picture);
    picture->scan = scan_json(&threats, marking);
    describe_threats(&threats, marking, picture);
    close_threats(&threats);
    return STATUS_OK;
}

const TourLens tour_lens_threats = {"threats", false, look_at_threats};

// --- Threats that need several turns ---

static unsigned list_values(const Generalised *threats, const Board *board, RatedCell *list)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells), listed = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t value = generalised_cell(threats, cells[i]);
        if (value > 0)
            list[listed++] = (RatedCell){cells[i], (double)value};
    }
    qsort(list, listed, sizeof *list, analyze_compare_rated);
    return listed;
}

static void describe_generalised(const Generalised *threats, const Board *board, const RatedCell *list, unsigned count,
                                 TourPicture *picture)
{
    enum { LISTED_MOST = 3 };
    char name[CELL_TEXT_SIZE];
    const Rules *rules = &board->rules;
    for (unsigned i = 0; i < count && i < LISTED_MOST; i++) {
        cell_format(list[i].cell, name);
        tour_fact(picture, name, json_real(list[i].utility), "%.0f of %s, %.0f of %s",
                  (double)threats->value[0][list[i].cell], web_side_name(rules, SIDE_FIRST),
                  (double)threats->value[1][list[i].cell], web_side_name(rules, SIDE_SECOND));
    }
    for (unsigned side = 0; side < 2; side++)
        tour_fact(picture, web_side_name(rules, (Side)side), json_real((double)threats->total[side]), "in all");
    if (count == 0) {
        text_add(&picture->caption, "No stone would build or block anything yet.");
        return;
    }
    cell_format(list[0].cell, name);
    text_add(&picture->caption, "A stone on %s builds or blocks most: %.0f.", name, list[0].utility);
}

static Status look_at_generalised(TourPicture *picture)
{
    const Board *board = picture->board;
    Generalised *threats = memory_new(1, sizeof *threats);
    RatedCell *list = memory_new(RULES_CELLS_MAX, sizeof *list);
    GeneralisedStyle style = {.c = generalised_constant(&board->rules, GENERALISED_C)};
    generalised_read(board, &style, threats);
    unsigned count = list_values(threats, board, list);
    // Each additional stone multiplies a value, so colours follow the logarithm.
    for (unsigned i = 0; i < count; i++) {
        char label[24];
        (void)snprintf(label, sizeof label, "%.0f", list[i].utility);
        double shade = log2(1 + list[i].utility) / log2(1 + list[0].utility);
        tour_mark(picture, &(TourMark){"area", &list[i].cell, 1, NULL, label, shade, false});
    }
    describe_generalised(threats, board, list, count, picture);
    free(threats);
    free(list);
    return STATUS_OK;
}

const TourLens tour_lens_generalised = {"generalised", false, look_at_generalised};

// --- Agents ---

// The best cells of an agent, all with the same utility.
typedef struct {
    Cell cells[RULES_CELLS_MAX];
    unsigned count;
    double utility;
} BestCells;

static Status ask_agent(Span name, const Game *game, BestCells *best, Error *error)
{
    Agent agent = {0};
    Status status = agent_open(&agent, name, &game->board.rules, error);
    best->count = 0;
    if (status == STATUS_OK) {
        agent_rate(&agent, game);
        const Ratings *ratings = agent.ratings;
        for (unsigned i = 0; i < ratings->count; i++) {
            if (best->count > 0 && ratings->cells[i].utility < best->utility)
                continue;
            if (best->count == 0 || ratings->cells[i].utility > best->utility)
                best->count = 0;
            best->utility = ratings->cells[i].utility;
            best->cells[best->count++] = ratings->cells[i].cell;
        }
    }
    agent_close(&agent);
    return status;
}

static Status look_at_agents(TourPicture *picture)
{
    Span rest = picture->task->asked, name = {0};
    Status status = STATUS_OK;
    unsigned listed = 0;
    text_add(&picture->caption, "%s is to move. ", web_side_name(&picture->board->rules, board_side(picture->board)));
    while (status == STATUS_OK && span_next_word(&rest, " ", &name)) {
        BestCells best;
        char first[CELL_TEXT_SIZE], word[64], letter[2] = {(char)(name.at[0] - 'a' + 'A'), '\0'};
        status = ask_agent(name, picture->game, &best, picture->error);
        if (status != STATUS_OK || best.count == 0)
            continue;
        cell_format(best.cells[0], first);
        (void)snprintf(word, sizeof word, "%.*s", SPAN_PRINT(name));
        for (unsigned i = 0; i < best.count && i < 8; i++)
            tour_mark(picture, &(TourMark){"cell", &best.cells[i], 1, NULL, letter, NAN, i > 0});
        if (best.count > 1)
            tour_fact(picture, word, json_string(first), "one of %u equal cells, utility %g", best.count, best.utility);
        else
            tour_fact(picture, word, json_string(first), "utility %g", best.utility);
        text_add(&picture->caption, "%s%s would play %s", listed++ > 0 ? ", " : "", word, first);
    }
    text_add(&picture->caption, ".");
    return status;
}

const TourLens tour_lens_agents = {"agents", false, look_at_agents};
