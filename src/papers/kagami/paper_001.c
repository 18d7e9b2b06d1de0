// Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6: Tables I to IV. docs/papers/001.md
// says what agrees and what was decided.
//
// The paper plays ten games against each program, five with each colour, from the empty board as far as it describes,
// and prints for each game the result, the number of turns ("game length is the number of moves that are played") and,
// with the threat-space search, how often a defensive turn failed and was looked for again. Here:
//
// - NCTU6, X6 and MeinStein are not to be had. Two agents of krow stand in for each, which is reported in every label,
//   and --opponent names any other program. Such a row must not be read as a result against the program of the paper.
// - Games begin with the first turn, or the first two, made as openings (match/openings.h), each with both colours.
//   From the empty board the agents draw few lots: of 200 games of `defence` against `threats:depth=4,width=8` 11
//   differed by more than a symmetry, of 200 against `sequences` 140, and limits computed from copies of a game mean
//   nothing. With these openings at least 199 of 200 differ. They are the shortest that do; those of paper 000, up to
//   ten turns, leave a defence less to defend.
// - A game is a draw after 120 turns that were decided, 121 or 122 with those of the opening ("we declare the game
//   drawn around move 120").
// - 200 games leave limits of at most ± 7 points for a share. A second a turn in the rows of --opponent is for the
//   other program; 40 games of at most 60 such seconds each leave ± 15 points.
// - Rows for agents that go beyond the paper have no published figure, and say so.
#include "papers/experiment/paper.h"

#include "papers/kagami/line_keys_agreement.h"

#include <math.h>
#include <stdio.h>

#define NONE NAN
#define GAMES 200
#define OPPONENT_GAMES 40
#define MAX_TURNS 120

#define TRIAL(text, first_unit, figure, where, more, count, seconds, agent, opponent)                                  \
    {                                                                                                                  \
        .label = (text), .unit = (first_unit), .published = (figure), .source = (where),                               \
        .measure = &paper_measure_games, .game = "connect6", .agents = {(agent), (opponent)}, .games = (count),        \
        .start = PAPER_FIRST_TURNS, .limits = {.turn_seconds = (seconds), .max_turns = MAX_TURNS}, .further = (more)   \
    }

// The rows of one agent in one table: against both stand-ins, and against whom --opponent names. `name` is how a label
// calls the agent, `program` whose place the stand-ins take.
#define AGENT_ROWS(name, agent, program, unit, figure, where, more)                                                    \
    TRIAL(name " against " program " (stand-in: sequences)", unit, figure, where, more, GAMES, 0, agent, "sequences"), \
        TRIAL(name " against " program " (stand-in: threats:depth=4,width=8)", unit, figure, where, more, GAMES, 0,    \
              agent, "threats:depth=4,width=8"),                                                                       \
        TRIAL(name " against " program, unit, figure, where, more, OPPONENT_GAMES, 1, agent, PAPER_OPPONENT)

// --- Section III: the defence alone ---

#define GUARDED "defence:guard=1"
#define GUARDED_NAME GUARDED " (beyond the paper)"

static const PaperUnit defence_units[] = {{"losses", NONE}, {"turns", NONE}, {0}};

// Table I: D D D D D D D D D D in 121 120 119 124 120 120 123 121 120 123 turns.
static const PaperUnit table_1[] = {{"losses", 0}, {"turns", 121.1}, {0}};

static const PaperTrial defence_nctu6_trials[] = {
    AGENT_ROWS("defence", "defence", "NCTU6", "draws", 1, "Table I", table_1),
    AGENT_ROWS(GUARDED_NAME, GUARDED, "NCTU6", "draws", NONE, NULL, defence_units),
    {0},
};

// Table II: L D D D L L D D D L in 31 121 123 131 47 18 118 128 120 34 turns.
static const PaperUnit table_2[] = {{"losses", 0.4}, {"turns", 87.1}, {0}};

static const PaperTrial defence_x6_trials[] = {
    AGENT_ROWS("defence", "defence", "X6", "draws", 0.6, "Table II", table_2),
    AGENT_ROWS(GUARDED_NAME, GUARDED, "X6", "draws", NONE, NULL, defence_units),
    {0},
};

// --- Section IV: with the threat-space search ---

// `researches` and `alternatives` are what the agent counts of its turns: defensive turns that failed, and others that
// were tried in their place. The paper gives the first.
#define EXACT "kagami:tss=exact"
#define EXACT_NAME EXACT " (beyond the paper)"
#define NULLMOVE "kagami:nullmove=1"
#define NULLMOVE_NAME NULLMOVE " (the tournament version, no figures in the paper)"

static const PaperUnit kagami_units[] = {
    {"losses", NONE}, {"turns", NONE}, {"researches", NONE}, {"alternatives", NONE}, {0},
};

// Table III: D D D D D D D D D D in 121 119 123 121 119 123 124 126 124 120 turns, 0 0 0 1 0 0 0 1 2 0 looked for
// again.
static const PaperUnit table_3[] = {
    {"losses", 0}, {"turns", 122}, {"researches", 0.4}, {"alternatives", NONE}, {0},
};

static const PaperTrial kagami_x6_trials[] = {
    AGENT_ROWS("kagami", "kagami", "X6", "draws", 1, "Table III", table_3),
    AGENT_ROWS(NULLMOVE_NAME, NULLMOVE, "X6", "draws", NONE, NULL, kagami_units),
    AGENT_ROWS(EXACT_NAME, EXACT, "X6", "draws", NONE, NULL, kagami_units),
    {0},
};

// Table IV: W L W L L W W W L W in 52 14 51 58 16 63 81 54 16 54 turns, 3 1 6 1 1 2 2 3 1 3 looked for again, against
// five settings of MeinStein.
static const PaperUnit table_4[] = {
    {"losses", 0.4}, {"turns", 45.9}, {"researches", 2.3}, {"alternatives", NONE}, {0},
};

static const PaperTrial kagami_meinstein_trials[] = {
    AGENT_ROWS("kagami", "kagami", "MeinStein", "wins", 0.6, "Table IV", table_4),
    AGENT_ROWS(NULLMOVE_NAME, NULLMOVE, "MeinStein", "wins", NONE, NULL, kagami_units),
    AGENT_ROWS(EXACT_NAME, EXACT, "MeinStein", "wins", NONE, NULL, kagami_units),
    {0},
};

// --- Section IV.A: the correction for two stones on one line ---

// A row of the table: how many turns of a case, or of all, some count is true of. The kind is less than two threats,
// two, or three and more, which by the paper is all that matters.
typedef struct {
    const char *label;
    uint64_t (*count)(const LineKeysAgreement *agreement);
} Agreement;

static const Agreement agreements[] = {
    {"right number", line_keys_same},
    {"right kind", line_keys_same_kind},
    {"kind too high", line_keys_too_high},
};

static void add_agreement(const PaperTrial *trial, const char *name, const LineKeysAgreement *agreement,
                          PaperFigures *figures)
{
    for (size_t i = 0; i < sizeof agreements / sizeof agreements[0]; i++) {
        double part = (double)agreements[i].count(agreement), whole = (double)agreement->turns;
        PaperFigure figure = {.trial = trial, .unit = trial->unit, .published = NONE, .n = (unsigned)agreement->turns};
        figure.wanted = figure.n;
        figure.measured = part / whole;
        figure.limits = stats_share(part, whole);
        Text label = {0};
        text_add(&label, "%s: %s", name, agreements[i].label);
        figure.label = label.data;
        paper_add_figure(figures, &figure);
    }
}

// Turns of two stones on boards with stones dealt at random, the same for every run of a scale.
static Status measure_correction(const PaperTrial *trial, const ExperimentOptions *options, PaperFigures *figures,
                                 Error *error)
{
    static const char *const names[LINE_CASES] = {"case 1, not on one line", "case 2, opposing stones between",
                                                  "case 3a, within 6 cells", "case 3b, within 11 cells",
                                                  "case 3c, further"};
    enum { BOARDS = 2000, TURNS = 200 };
    LineKeysAgreement cases[LINE_CASES], all = {0};
    Rules rules;
    Status status = rules_parse(span_of(trial->game), &rules, error);
    if (status == STATUS_OK)
        status = line_keys_agree(&rules, (unsigned)ceil(BOARDS * options->scale), TURNS, cases, error);
    if (status != STATUS_OK)
        return status;
    for (unsigned i = 0; i < LINE_CASES; i++) {
        line_keys_add(&all, &cases[i]);
        add_agreement(trial, names[i], &cases[i], figures);
    }
    add_agreement(trial, "all", &all, figures);
    return STATUS_OK;
}

static const PaperMeasure correction = {measure_correction, NULL};

static const PaperTrial correction_trials[] = {
    {.label = "threats of turns by the table, against the exact number",
     .unit = "share",
     .published = NONE,
     .measure = &correction,
     .game = "connect6"},
    {0},
};

static const PaperTable tables[] = {
    {"defence-nctu6", "Table I: the defensive strategy alone, where the paper has NCTU6", defence_nctu6_trials},
    {"defence-x6", "Table II: the defensive strategy alone, where the paper has X6", defence_x6_trials},
    {"kagami-x6", "Table III: with the threat-space search, where the paper has X6", kagami_x6_trials},
    {"kagami-meinstein", "Table IV: with the threat-space search, where the paper has MeinStein",
     kagami_meinstein_trials},
    {"correction", "section IV.A: how often the corrected count of threats is right, on random boards",
     correction_trials},
    {0},
};

extern const Paper paper_001;
const Paper paper_001 = {
    .name = "001",
    .title = "Liu and Lin: A Defensive Strategy Combined with Threat-Space Search in Connect6",
    .tables = tables,
};
