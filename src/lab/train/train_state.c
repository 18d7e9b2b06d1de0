// The state of krow train as JSON, and the plot of its losses.
#include "base/file.h"
#include "lab/train/train_internal.h"
#include "view/plot_svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATE_MAX = 16 << 20 };

void train_path(const TrainRun *run, char path[TRAIN_PATH_SIZE], const char *format, ...)
{
    Text name = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&name, format, arguments);
    va_end(arguments);
    (void)snprintf(path, TRAIN_PATH_SIZE, "%s/%s", run->options->folder, name.data);
    text_close(&name);
}

// --- Writing ---

static json_t *match_json(const HeadToHead *results)
{
    Estimate elo = stats_elo(results);
    json_t *pairs = json_array();
    for (unsigned i = 0; i < PAIR_KINDS; i++)
        (void)json_array_append_new(pairs, json_integer(results->pairs[i]));
    return json_pack("{s:i, s:i, s:i, s:o, s:o, s:o}", "wins", (int)results->games.wins, "draws",
                     (int)results->games.draws, "losses", (int)results->games.losses, "pairs", pairs, "elo",
                     isfinite(elo.value) ? json_real(elo.value) : json_null(), "elo_error",
                     isfinite(elo.error) ? json_real(elo.error) : json_null());
}

static json_t *generation_json(const TrainGeneration *generation)
{
    json_t *epochs = json_array(), *object;
    for (unsigned i = 0; i < generation->epochs; i++) {
        const TrainEpoch *epoch = &generation->epoch[i];
        (void)json_array_append_new(epochs,
                                    json_pack("{s:f, s:f, s:f, s:f}", "trained", epoch->trained, "held_out",
                                              epoch->held, "result", epoch->result, "without_network", epoch->simple));
    }
    object =
        json_pack("{s:i, s:i, s:I, s:o, s:b, s:b, s:b}", "games", (int)generation->games, "all_games",
                  (int)generation->all_games, "held_out_positions", (json_int_t)generation->positions, "epochs", epochs,
                  "trained", generation->has_network, "finished", generation->is_finished, "best", generation->is_best);
    if (generation->has_nodes)
        (void)json_object_set_new(object, "match_nodes", match_json(&generation->nodes));
    if (generation->has_seconds)
        (void)json_object_set_new(object, "match_seconds", match_json(&generation->seconds));
    return object;
}

// What must be the same when a run is continued.
static json_t *options_json(const TrainRunOptions *options)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&options->rules, game);
    return json_pack("{s:s, s:i, s:i, s:s, s:i, s:f, s:I, s:i, s:f, s:I, s:i, s:f, s:i, s:i}", "game", game, "smallest",
                     (int)options->smallest, "largest", (int)options->largest, "from", options->from, "games",
                     (int)options->games, "hours", options->hours, "nodes", (json_int_t)options->nodes, "epochs",
                     (int)options->epochs, "rate", options->rate, "seed", (json_int_t)options->seed, "gate_games",
                     (int)options->gate_games, "gate_seconds", options->gate_seconds, "varied", (int)options->varied,
                     "results", (int)options->results);
}

json_t *train_run_json(const TrainRun *run)
{
    json_t *generations = json_array();
    for (unsigned i = 0; i < run->count; i++)
        (void)json_array_append_new(generations, generation_json(&run->generations[i]));
    return json_pack("{s:o, s:i, s:o}", "options", options_json(run->options), "best", (int)run->best, "generations",
                     generations);
}

Status train_state_write(const TrainRun *run, Error *error)
{
    char path[TRAIN_PATH_SIZE];
    json_t *object = train_run_json(run);
    char *text = json_dumps(object, JSON_INDENT(1));
    train_path(run, path, "train.json");
    Status status = file_write(path, span_of(text), error);
    free(text);
    json_decref(object);
    return status;
}

// --- Reading ---

static void read_match(const json_t *object, const char *key, bool *has, HeadToHead *results)
{
    const json_t *match = json_object_get(object, key), *pairs = json_object_get(match, "pairs");
    *has = match != NULL;
    results->games.wins = (uint32_t)json_integer_value(json_object_get(match, "wins"));
    results->games.draws = (uint32_t)json_integer_value(json_object_get(match, "draws"));
    results->games.losses = (uint32_t)json_integer_value(json_object_get(match, "losses"));
    for (unsigned i = 0; i < PAIR_KINDS; i++)
        results->pairs[i] = (uint32_t)json_integer_value(json_array_get(pairs, i));
}

static void read_generation(const json_t *object, TrainGeneration *generation)
{
    const json_t *epochs = json_object_get(object, "epochs");
    generation->games = (unsigned)json_integer_value(json_object_get(object, "games"));
    generation->all_games = (unsigned)json_integer_value(json_object_get(object, "all_games"));
    generation->positions = (uint64_t)json_integer_value(json_object_get(object, "held_out_positions"));
    generation->epochs = (unsigned)json_array_size(epochs);
    generation->epochs = generation->epochs < TRAIN_EPOCHS_MAX ? generation->epochs : TRAIN_EPOCHS_MAX;
    for (unsigned i = 0; i < generation->epochs; i++) {
        const json_t *epoch = json_array_get(epochs, i);
        generation->epoch[i] = (TrainEpoch){json_number_value(json_object_get(epoch, "trained")),
                                            json_number_value(json_object_get(epoch, "held_out")),
                                            json_number_value(json_object_get(epoch, "result")),
                                            json_number_value(json_object_get(epoch, "without_network"))};
    }
    generation->has_network = json_is_true(json_object_get(object, "trained"));
    generation->is_finished = json_is_true(json_object_get(object, "finished"));
    generation->is_best = json_is_true(json_object_get(object, "best"));
    read_match(object, "match_nodes", &generation->has_nodes, &generation->nodes);
    read_match(object, "match_seconds", &generation->has_seconds, &generation->seconds);
}

static Status take_state(TrainRun *run, const json_t *object, const char *path, Error *error)
{
    json_t *expected = options_json(run->options);
    const json_t *options = json_object_get(object, "options"), *generations = json_object_get(object, "generations");
    const char *key;
    json_t *value;
    Status status = STATUS_OK;
    json_object_foreach(expected, key, value)
    {
        const json_t *other = json_object_get(options, key);
        bool same =
            json_is_number(value) ? json_number_value(value) == json_number_value(other) : json_equal(value, other);
        if (!same && status == STATUS_OK)
            status = error_set(error, STATUS_BAD_INPUT,
                               "%s is of a training with another value of '%s'; use its options, or another folder",
                               path, key);
    }
    json_decref(expected);
    run->count = (unsigned)json_array_size(generations);
    run->count = run->count < TRAIN_GENERATIONS_MAX ? run->count : TRAIN_GENERATIONS_MAX;
    for (unsigned i = 0; i < run->count; i++)
        read_generation(json_array_get(generations, i), &run->generations[i]);
    json_int_t best = json_integer_value(json_object_get(object, "best"));
    run->best = best > 0 && best <= run->count ? (unsigned)best : 0;
    return status;
}

Status train_state_read(TrainRun *run, Error *error)
{
    char path[TRAIN_PATH_SIZE];
    Text text = {0};
    json_error_t problem;
    train_path(run, path, "train.json");
    if (access(path, F_OK) != 0)
        return STATUS_OK;
    Status status = file_read(path, STATE_MAX, &text, error);
    if (status != STATUS_OK)
        return status;
    json_t *object = json_loadb(text.data, text.length, 0, &problem);
    status = object != NULL ? take_state(run, object, path, error)
                            : error_set(error, STATUS_BAD_INPUT, "%s: line %d: %s", path, problem.line, problem.text);
    json_decref(object);
    text_close(&text);
    return status;
}

// --- The plot ---

void train_run_plot(const TrainRun *run, Text *text)
{
    enum { POINTS = TRAIN_GENERATIONS_MAX * TRAIN_EPOCHS_MAX };
    double *y = malloc(sizeof(double[3][POINTS]));
    unsigned count = 0;
    if (y == NULL)
        return;
    for (unsigned i = 0; i < run->count; i++)
        for (unsigned epoch = 0; epoch < run->generations[i].epochs; epoch++, count++) {
            y[count] = run->generations[i].epoch[epoch].result;
            y[POINTS + count] = run->generations[i].epoch[epoch].simple;
            y[2 * POINTS + count] = run->generations[i].epoch[epoch].held;
        }
    PlotLine lines[] = {
        {.name = "results, by the network", .kind = 0, .count = count, .y = y},
        {.name = "results, without a network", .kind = 1, .count = count, .y = y + POINTS},
        {.name = "results and scores, by the network", .kind = 2, .count = count, .y = y + (size_t)2 * POINTS}};
    PlotPanel panel = {.title = "held-out loss", .lines = lines, .line_count = 3};
    char game[RULES_TEXT_SIZE];
    rules_format(&run->options->rules, game);
    Plot plot = {.title = "Training of a network",
                 .subtitle = game,
                 .x_title = "epochs of all generations",
                 .x_max = count > 1 ? count : 1,
                 .panels = &panel,
                 .panel_count = 1};
    plot_svg(&plot, text);
    free(y);
}
