// Starts an external engine: launches its process, detects its protocol and waits for its greeting.
#include "external/external_internal.h"

#include "base/clock.h"

static const double ugi_seconds = 0.5; // without an answer to `ugi` in this time, krow tries Gomocup

double external_start_limit(const ExternalEngine *engine)
{
    return engine->settings.start > 0 ? engine->settings.start : external_start_seconds;
}

double external_start_deadline(const ExternalEngine *engine)
{
    return clock_seconds() + external_start_limit(engine);
}

static bool launch(ExternalEngine *engine)
{
    Error error = {0};
    engine->in_game = false;
    engine->words[0] = '\0';
    if (sandbox_start(&engine->sandboxed, &engine->process, &error) != STATUS_OK)
        return external_fail(engine, FAULT_CRASH, "%s", error.text);
    return true;
}

static bool greet(ExternalEngine *engine, const ExternalProtocol *protocol, double deadline)
{
    protocol->greet(engine, &engine->out);
    return external_send(engine, deadline);
}

static bool fail_unsayable(ExternalEngine *engine, const char *because)
{
    char rules[RULES_TEXT_SIZE];
    rules_format(&engine->rules, rules);
    return external_fail(
        engine, FAULT_ILLEGAL,
        "%s; %s needs UGI, since Gomocup supports only five in a row without gravity, one stone per turn", because,
        rules);
}

typedef struct {
    double silence;  // without output until then, krow tries Gomocup
    double deadline; // end of the detection
    bool asked;      // in Gomocup
} Search;

static bool ask_in_gomocup(ExternalEngine *engine, Search *search)
{
    search->asked = true;
    return !external_gomocup_can_say(&engine->rules) || greet(engine, &external_gomocup, search->deadline);
}

static bool hear_silence(ExternalEngine *engine, Search *search)
{
    if (!search->asked)
        return ask_in_gomocup(engine, search);
    if (engine->words[0] != '\0')
        return external_fail(engine, FAULT_ILLEGAL, "it refuses this game");
    if (!external_gomocup_can_say(&engine->rules))
        return fail_unsayable(engine, "it does not answer 'ugi' with 'ugiok'");
    return external_fail(engine, FAULT_TIMEOUT, "it answers neither 'ugi' with 'ugiok' nor 'START' with 'OK'");
}

static bool hear_line(ExternalEngine *engine, Search *search, Span line)
{
    Greeting ugi = external_ugi.greeting(engine, line);
    Greeting gomocup = ugi == GREETING_OTHER ? external_gomocup.greeting(engine, line) : GREETING_OTHER;
    if (ugi != GREETING_OTHER)
        engine->protocol = &external_ugi;
    else if (gomocup == GREETING_DONE && search->asked)
        engine->protocol = &external_gomocup;
    else if (gomocup != GREETING_OTHER && !external_gomocup_can_say(&engine->rules))
        return fail_unsayable(engine, "it speaks the Gomocup protocol");
    else if (gomocup != GREETING_OTHER && !search->asked)
        return ask_in_gomocup(engine, search);
    // A complaint may be a late answer to `ugi`, so an OK may follow.
    double now = clock_seconds();
    if (gomocup == GREETING_REFUSED && now + external_stop_seconds < search->deadline)
        search->deadline = now + external_stop_seconds;
    engine->greeted = ugi == GREETING_DONE || (gomocup == GREETING_DONE && search->asked);
    return engine->protocol != NULL || now < search->deadline || hear_silence(engine, search);
}

// A program that ended may have failed on `ugi`: restarts it with Gomocup alone.
static bool hear_end(ExternalEngine *engine, Search *search)
{
    char last[PROCESS_TEXT_SIZE];
    (void)external_fail_ended(engine);
    process_last_words(&engine->process, last);
    if (search->asked || !external_gomocup_can_say(&engine->rules) ||
        (engine->sandboxed.is_used && sandbox_has_failed(last)))
        return false;
    return launch(engine) && ask_in_gomocup(engine, search);
}

// Detects the protocol. `ugi` is sent first: a Gomocup engine answers UNKNOWN or nothing, without side effects. After
// such an answer or a moment of silence START is sent, and the first answer decides.
static bool find_protocol(ExternalEngine *engine)
{
    double now = clock_seconds();
    Search search = {.silence = now + ugi_seconds, .deadline = now + external_start_limit(engine)};
    if (!greet(engine, &external_ugi, search.deadline) && (engine->fault != FAULT_CRASH || !hear_end(engine, &search)))
        return false;
    while (engine->protocol == NULL) {
        Span line = {0};
        double wait = search.asked ? search.deadline : search.silence;
        ProcessResult result = external_read_line(engine, wait, &line);
        bool continues = result == PROCESS_OK      ? hear_line(engine, &search, span_trim(line))
                         : result == PROCESS_LATE  ? hear_silence(engine, &search)
                         : result == PROCESS_ENDED ? hear_end(engine, &search)
                                                   : external_fail_as(engine, result, "");
        if (!continues)
            return false;
    }
    return true;
}

// Reads until a program with a known protocol has finished its greeting.
static bool immediate_greeting(ExternalEngine *engine, double deadline)
{
    static const char *const late = "it did not finish its greeting in time";
    while (!engine->greeted) {
        Span line = {0};
        if (!external_fail_as(engine, external_read_line(engine, deadline, &line), late))
            return false;
        Greeting greeting = engine->protocol->greeting(engine, span_trim(line));
        engine->greeted = greeting == GREETING_DONE;
        if (greeting == GREETING_REFUSED)
            return external_fail(engine, FAULT_ILLEGAL, "it refuses this game");
        if (!engine->greeted && clock_seconds() >= deadline)
            return external_fail(engine, FAULT_TIMEOUT, "%s", late);
    }
    engine->words[0] = '\0';
    return true;
}

bool external_start(ExternalEngine *engine)
{
    engine->greeted = false;
    if (!launch(engine))
        return false;
    bool known = engine->protocol != NULL;
    if (engine->protocol == &external_gomocup && !external_gomocup_can_say(&engine->rules))
        return fail_unsayable(engine, "its protocol is set to gomocup");
    if (known ? !greet(engine, engine->protocol, external_start_deadline(engine)) : !find_protocol(engine))
        return false;
    return immediate_greeting(engine, external_start_deadline(engine)) &&
           engine->protocol->set_up(engine, external_start_deadline(engine));
}
