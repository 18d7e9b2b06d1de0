// Search info of the Gomocup protocol: messages, and the lines that Yixin Board and programs like it understand.
#include "protocols/gomocup.h"

#include "engine/eval/weights.h"

#include <math.h>

enum { HASH_EXPONENT_MAX = 26 }; // most kilobytes of tables, as a power of two

void gomocup_show_info(Gomocup *gomocup, Engine *engine)
{
    gomocup->shows = true;
    engine_say(engine, "MESSAGE krow " KROW_VERSION);
    engine_say(engine, "MESSAGE INFO MAX_THREAD_NUM %d", SEARCH_THREADS_MAX);
    engine_say(engine, "MESSAGE INFO MAX_HASH_SIZE %d", HASH_EXPONENT_MAX);
}

// The score in hundredths, or the stones to a proven end.
static void say_eval(Engine *engine, const Decision *found)
{
    if (found->proven == PROVEN_WIN || found->proven == PROVEN_LOSS)
        engine_say(engine, "INFO EVAL %cM%d", found->proven == PROVEN_WIN ? '+' : '-',
                   found->distance > 0 ? found->distance : 0);
    else
        engine_say(engine, "INFO EVAL %lld", engine_centi(found));
    if (found->proven != PROVEN_NOTHING)
        engine_say(engine, "INFO WINRATE %g", found->proven == PROVEN_WIN ? 1 : found->proven == PROVEN_LOSS ? 0 : 0.5);
    else if (engine->agent.kind == &agent_engine)
        engine_say(engine, "INFO WINRATE %.4f", 1 / (1 + exp(-(double)engine_centi(found) / WEIGHTS_UNIT)));
}

static void say_line(const Gomocup *gomocup, Engine *engine, const Decision *found)
{
    double seconds = engine_elapsed(engine);
    engine_say(engine, "INFO PV %u", found->rank > 0 ? found->rank - 1 : 0);
    engine_say(engine, "INFO NUMPV %u", engine->found > 0 ? engine->found : 1);
    engine_say(engine, "INFO DEPTH %u", found->depth);
    engine_say(engine, "INFO SELDEPTH %u", found->deepest);
    engine_say(engine, "INFO TOTALNODES %llu", (unsigned long long)found->nodes);
    engine_say(engine, "INFO TOTALTIME %lld", llround(seconds * 1000));
    engine_say(engine, "INFO SPEED %llu", engine_per_second(found->nodes, seconds));
    say_eval(engine, found);
    Text line = {0};
    for (unsigned i = 0; i < found->line_count; i++) {
        char cell[16];
        gomocup_format(gomocup, found->line[i], cell);
        text_add(&line, " %s", cell);
    }
    if (line.length > 0)
        engine_say(engine, "INFO BESTLINE%s", line.data);
    engine_say(engine, "INFO PV DONE");
    text_close(&line);
}

void gomocup_report(void *context, Engine *engine, const Decision *found, bool is_final)
{
    const Gomocup *gomocup = context;
    if (gomocup->detail & DETAIL_LINES)
        say_line(gomocup, engine, found);
    if ((gomocup->detail & DETAIL_REALTIME) && found->rank <= 1) {
        char cell[16];
        gomocup_format(gomocup, found->stones[0], cell);
        engine_say(engine, "MESSAGE REALTIME REFRESH");
        engine_say(engine, "MESSAGE REALTIME BEST %s", cell);
    }
    if (!is_final && !gomocup->shows)
        return;
    Text about = {0};
    engine_describe(engine, found, &about);
    engine_say(engine, "MESSAGE %s", about.data);
    text_close(&about);
}
