// Makes engines cheap to open, so that fuzz targets whose requests open them run ten times as many inputs. Replaces
// functions (-Wl,--wrap): tables and weights of rules are kept for the next search of the same rules, and the tables of
// searches, megabytes that the sanitizer has to mark, are as small as possible. Kept tables are never shared: threads
// that use the same rules at the same time have their own.
#include "engine/eval/pattern_board.h"
#include "engine/search/search_internal.h"
#include "solver/dfpn/dfpn_internal.h"
#include "threats/search/double_threat.h"

#include <pthread.h>
#include <string.h>

Status __real_pattern_tables_open(PatternTables **tables, const Rules *rules, const Weights *weights, Error *error);
Status __wrap_pattern_tables_open(PatternTables **tables, const Rules *rules, const Weights *weights, Error *error);
void __real_pattern_tables_close(PatternTables *tables);
void __wrap_pattern_tables_close(PatternTables *tables);
Status __real_weights_read(Weights *weights, const char *name, const Rules *rules, Error *error);
Status __wrap_weights_read(Weights *weights, const char *name, const Rules *rules, Error *error);
Status __real_tt_open(TranspositionTable **table, size_t megabytes, Error *error);
Status __wrap_tt_open(TranspositionTable **table, size_t megabytes, Error *error);
Status __real_solver_table_open(SolverTable *table, size_t bytes, Error *error);
Status __wrap_solver_table_open(SolverTable *table, size_t bytes, Error *error);
Status __real_double_threat_open(DoubleThreat **search, const Rules *rules, size_t table_bytes, Error *error);
Status __wrap_double_threat_open(DoubleThreat **search, const Rules *rules, size_t table_bytes, Error *error);

enum { KEPT_MAX = 12 };

typedef struct {
    PatternTables *tables; // NULL: none
    Rules rules;
    Weights weights;
    bool has_weights, is_used;
} Kept;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Kept kept[KEPT_MAX];
static unsigned oldest; // of `kept`, roughly

static bool is_for(const Kept *one, const Rules *rules, const Weights *weights)
{
    return one->tables != NULL && !one->is_used && rules_equal(&one->rules, rules) &&
           one->has_weights == (weights != NULL) &&
           (weights == NULL || memcmp(&one->weights, weights, sizeof *weights) == 0);
}

static PatternTables *take(const Rules *rules, const Weights *weights)
{
    for (unsigned i = 0; i < KEPT_MAX; i++)
        if (is_for(&kept[i], rules, weights)) {
            kept[i].is_used = true;
            return kept[i].tables;
        }
    return NULL;
}

// Lists new tables, in place of some that are not in use.
static void keep(PatternTables *tables, const Rules *rules, const Weights *weights)
{
    for (unsigned i = 0; i < KEPT_MAX; i++) {
        Kept *one = &kept[oldest++ % KEPT_MAX];
        if (one->is_used)
            continue;
        __real_pattern_tables_close(one->tables);
        *one = (Kept){.tables = tables, .rules = *rules, .has_weights = weights != NULL, .is_used = true};
        if (weights != NULL)
            one->weights = *weights;
        return;
    }
}

Status __wrap_pattern_tables_open(PatternTables **tables, const Rules *rules, const Weights *weights, Error *error)
{
    (void)pthread_mutex_lock(&lock);
    *tables = take(rules, weights);
    Status status = STATUS_OK;
    if (*tables == NULL) {
        status = __real_pattern_tables_open(tables, rules, weights, error);
        if (status == STATUS_OK)
            keep(*tables, rules, weights);
    }
    (void)pthread_mutex_unlock(&lock);
    return status;
}

void __wrap_pattern_tables_close(PatternTables *tables)
{
    (void)pthread_mutex_lock(&lock);
    bool is_kept = false;
    for (unsigned i = 0; i < KEPT_MAX && tables != NULL; i++)
        if (kept[i].tables == tables) {
            is_kept = true;
            kept[i].is_used = false;
            tables->network = NULL;
        }
    if (!is_kept)
        __real_pattern_tables_close(tables);
    (void)pthread_mutex_unlock(&lock);
}

// The weights of the family, "", are always the same.
Status __wrap_weights_read(Weights *weights, const char *name, const Rules *rules, Error *error)
{
    static struct {
        Rules rules;
        Weights weights;
        bool is_filled;
    } read[KEPT_MAX];
    static unsigned next;
    if (name[0] != '\0')
        return __real_weights_read(weights, name, rules, error);
    (void)pthread_mutex_lock(&lock);
    unsigned at = 0;
    while (at < KEPT_MAX && !(read[at].is_filled && rules_equal(&read[at].rules, rules)))
        at++;
    Status status = STATUS_OK;
    if (at == KEPT_MAX) {
        at = next++ % KEPT_MAX;
        read[at].is_filled = false;
        status = __real_weights_read(&read[at].weights, name, rules, error);
        read[at].rules = *rules;
        read[at].is_filled = status == STATUS_OK;
    }
    if (status == STATUS_OK)
        *weights = read[at].weights;
    (void)pthread_mutex_unlock(&lock);
    return status;
}

// --- Small tables ---

enum { SMALL = 1 << 12 }; // bytes

Status __wrap_tt_open(TranspositionTable **table, size_t megabytes, Error *error)
{
    (void)megabytes;
    return __real_tt_open(table, 0, error);
}

Status __wrap_solver_table_open(SolverTable *table, size_t bytes, Error *error)
{
    return __real_solver_table_open(table, bytes < SMALL ? bytes : SMALL, error);
}

Status __wrap_double_threat_open(DoubleThreat **search, const Rules *rules, size_t table_bytes, Error *error)
{
    return __real_double_threat_open(search, rules, table_bytes < SMALL ? table_bytes : SMALL, error);
}
