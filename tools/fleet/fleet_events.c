// The events of a simulated fleet. Workers behave as in lab/workers/worker.c and lab/workers/worker_slot.c.
#include "fleet/fleet_internal.h"

typedef enum {
    TOURNAMENT_REQUEST,
    TOURNAMENT_PLAYED,
    TOURNAMENT_SENT,
    TOURNAMENT_BEAT,
    TOURNAMENT_LOSS,
    TOURNAMENT_BACK,
    TOURNAMENT_FORGET,
    TOURNAMENT_PAUSE,
    TOURNAMENT_RESUME
} TournamentKind;

enum { NO_OWNER = INT32_MAX, BEAT = INT32_MAX - 1 };

static void schedule(Fleet *fleet, double time, TournamentKind kind, uint32_t who, uint64_t stamp)
{
    heap_push(&fleet->events, (HeapEntry){.key = time, .what = kind, .who = who, .stamp = stamp});
}

static double chance(Fleet *fleet)
{
    return (double)(rng_next(&fleet->rng) >> 11) / 9007199254740992.0; // 2^53
}

static double unit_length(const Fleet *fleet)
{
    return fleet->seconds > 0 ? fleet->seconds : unit_seconds(fleet->seen);
}

// --- Counting ---

static void count_claim(Fleet *fleet, double seconds)
{
    double place = seconds > 1e-6 ? log10(seconds / 1e-6) * FLEET_BINS_A_DECADE : 0;
    fleet->claims[place < FLEET_BINS - 1 ? (size_t)place : FLEET_BINS - 1]++;
    fleet->claim_count++;
}

// --- Playing ---

static Worker *worker_of(Fleet *fleet, uint32_t slot)
{
    return &fleet->workers[slot / fleet->slots_each];
}

static void begin_play(Fleet *fleet, uint32_t number)
{
    Slot *slot = &fleet->slots[number];
    const HeldUnit *unit = &fleet->units.held[slot->place];
    double seconds = 0;
    for (uint32_t game = unit->first; game < unit->first + unit->games; game++)
        seconds += game_length(&fleet->lengths, game);
    slot->is_playing = true;
    slot->games = unit->games;
    slot->begun = fleet->now;
    slot->tries = slot->lates = 0;
    if (fleet->shares)
        server_compute(&fleet->server, fleet->worker_count + number, slot->stamp, seconds);
    else
        schedule(fleet, fleet->now + seconds, TOURNAMENT_PLAYED, number, slot->stamp);
}

static void end_play(Fleet *fleet, Slot *slot)
{
    seconds_add(&fleet->playing, slot->begun, fleet->now, 1);
    slot->is_playing = false;
    slot->played = fleet->now;
}

// --- Operations: one at a time per connection ---

static void enqueue(Fleet *fleet, uint32_t number)
{
    Worker *worker = worker_of(fleet, number);
    fleet->slots[number].next = NO_OWNER;
    fleet->slots[number].is_idle = false;
    if (worker->head == NO_OWNER)
        worker->head = number;
    else
        fleet->slots[worker->tail].next = number;
    worker->tail = number;
}

// CPU time of the server and number of statements: either until a claim has locked a unit, or afterwards, while the
// unit stays locked.
static double demand(const Fleet *fleet, const Worker *worker, double *statements)
{
    const Costs *costs = &fleet->costs;
    if (worker->owner == BEAT) {
        *statements = 4 + 2 * (double)fleet->slots_each;
        return costs->beat + costs->slot * fleet->slots_each;
    }
    const Slot *slot = &fleet->slots[worker->owner];
    *statements = worker->has_locked ? 4 : slot->has_unit ? 3 + 2 * (double)slot->games : 5;
    if (worker->has_locked)
        return costs->unit / 2;
    return slot->has_unit ? costs->unit / 2 + costs->game * slot->games : costs->poll;
}

static void begin_operation(Fleet *fleet, uint32_t number);

// The server does not answer: every operation is repeated after a delay.
static void fail_operation(Fleet *fleet, uint32_t number)
{
    Worker *worker = &fleet->workers[number];
    uint32_t owner = worker->owner;
    if (worker->has_locked)
        units_unlock(&fleet->units, &worker->locked);
    worker->has_locked = worker->is_flushing = worker->is_connected = false;
    worker->owner = NO_OWNER;
    worker->stamp++;
    fleet->result.failed++;
    if (owner == BEAT) {
        worker->beat_tries += worker->beat_tries < 10;
        schedule(fleet, fleet->now + 0.2 * (1 + worker->beat_tries), TOURNAMENT_BEAT, number, worker->life);
    } else {
        Slot *slot = &fleet->slots[owner];
        schedule(fleet, fleet->now + unit_retry_seconds(slot->tries++, chance(fleet)), TOURNAMENT_REQUEST, owner,
                 slot->stamp);
    }
}

// The statements take network round trips, then CPU time of the server.
static void send(Fleet *fleet, uint32_t number)
{
    double statements = 0;
    (void)demand(fleet, &fleet->workers[number], &statements);
    double delay = statements * fleet->costs.trip + (fleet->shares ? 0 : fleet->costs.own / 2);
    schedule(fleet, fleet->now + delay, TOURNAMENT_SENT, number, fleet->workers[number].stamp);
}

static void compute_operation(Fleet *fleet, uint32_t number)
{
    Worker *worker = &fleet->workers[number];
    double statements = 0, seconds = demand(fleet, worker, &statements);
    seconds += worker->is_connected ? 0 : fleet->costs.connect;
    seconds += fleet->shares ? fleet->costs.own / 2 : 0; // half for the submitted unit, half for the claimed one
    worker->is_connected = true;
    server_compute(&fleet->server, number, worker->stamp, seconds);
}

static void begin_operation(Fleet *fleet, uint32_t number)
{
    Worker *worker = &fleet->workers[number];
    while (worker->owner == NO_OWNER && worker->is_alive && (worker->wants_beat || worker->head != NO_OWNER)) {
        if (worker->wants_beat) {
            worker->owner = BEAT;
            worker->wants_beat = false;
        } else {
            worker->owner = worker->head;
            worker->head = fleet->slots[worker->head].next;
        }
        worker->stamp++;
        if (fleet->is_down) {
            fail_operation(fleet, number);
            continue;
        }
        send(fleet, number);
    }
}

static void request(Fleet *fleet, uint32_t number)
{
    enqueue(fleet, number);
    begin_operation(fleet, number / fleet->slots_each);
}

static void wake_idle(Fleet *fleet)
{
    for (uint32_t i = 0; i < fleet->slot_count; i++)
        if (fleet->slots[i].is_idle) {
            fleet->slots[i].is_idle = false;
            schedule(fleet, fleet->now, TOURNAMENT_REQUEST, i, ++fleet->slots[i].stamp);
        }
}

// --- Results of operations ---

static bool still_holds(const Fleet *fleet, const Slot *slot)
{
    return fleet->units.held[slot->place].token == slot->token;
}

// The games of the unit count, unless another worker has claimed the unit meanwhile.
static void commit_games(Fleet *fleet, Slot *slot)
{
    double seconds = slot->played - slot->begun;
    if (!units_finish(&fleet->units, slot->place, slot->token))
        fleet->result.lost += seconds;
    else if (seconds > 0)
        slot->pace = slot->games / seconds;
    slot->has_unit = false;
}

static void commit_claim(Fleet *fleet, uint32_t number, Slot *slot)
{
    Worker *worker = &fleet->workers[number];
    slot->place = units_take(&fleet->units, &worker->locked, fleet->now);
    slot->token = fleet->units.held[slot->place].token;
    slot->has_unit = true;
    worker->has_locked = false;
}

static void commit_slot(Fleet *fleet, uint32_t number, uint32_t owner)
{
    Slot *slot = &fleet->slots[owner];
    bool had_unit = slot->has_unit;
    if (had_unit)
        commit_games(fleet, slot);
    if (fleet->workers[number].has_locked) {
        commit_claim(fleet, number, slot);
        count_claim(fleet, fleet->now - slot->asked);
        begin_play(fleet, owner);
    } else if (had_unit) {
        enqueue(fleet, owner); // polls for work at once
    } else {
        bool is_late = fleet->units.left > 0;
        slot->is_idle = !is_late;
        fleet->result.lates += is_late;
        double pause = is_late ? unit_late_seconds(slot->lates++, chance(fleet)) : UNIT_IDLE_SECONDS;
        schedule(fleet, fleet->now + pause, TOURNAMENT_REQUEST, owner, ++slot->stamp);
    }
}

static void commit_beat(Fleet *fleet, uint32_t number)
{
    Worker *worker = &fleet->workers[number];
    worker->beat_tries = 0;
    fleet->result.beats++;
    for (uint32_t i = number * fleet->slots_each; i < (number + 1) * fleet->slots_each; i++) {
        Slot *slot = &fleet->slots[i];
        HeldUnit *unit = slot->has_unit ? &fleet->units.held[slot->place] : NULL;
        if (unit != NULL && still_holds(fleet, slot)) {
            if (slot->is_playing || slot->played > unit->beaten) // turns were played since the last heartbeat
                unit->expires = fleet->now + fleet->units.lease;
            unit->beaten = fleet->now;
        } else if (unit != NULL && slot->is_playing) { // the lease is lost, so the game is useless
            slot->stamp++;
            end_play(fleet, slot);
            slot->asked = fleet->now;
            enqueue(fleet, i);
        }
    }
    if (units_expire(&fleet->units, fleet->now))
        wake_idle(fleet);
    // A worker checks five times per second whether a heartbeat is due.
    schedule(fleet, fleet->now + unit_beat_seconds(fleet->units.lease) + 0.2 * chance(fleet), TOURNAMENT_BEAT, number,
             worker->life);
}

static void commit(Fleet *fleet, uint32_t number)
{
    Worker *worker = &fleet->workers[number];
    uint32_t owner = worker->owner;
    worker->owner = NO_OWNER;
    worker->is_flushing = false;
    if (owner == BEAT)
        commit_beat(fleet, number);
    else
        commit_slot(fleet, number, owner);
    begin_operation(fleet, number);
}

// The server has executed the statements; operations that change data wait for the log flush.
static void end_computation(Fleet *fleet, uint32_t number)
{
    Worker *worker = &fleet->workers[number];
    bool changes = worker->owner == BEAT || worker->has_locked;
    if (!changes) {
        const Slot *slot = &fleet->slots[worker->owner];
        unsigned most = unit_most(slot->pace, unit_length(fleet), 2);
        fleet->result.polls += !slot->has_unit;
        worker->has_locked = units_lock(&fleet->units, most, fleet->seen, &worker->locked);
        if (worker->has_locked) {
            send(fleet, number);
            return;
        }
        changes = slot->has_unit;
    }
    worker->is_flushing = changes;
    if (changes)
        server_flush(&fleet->server, number);
    else
        commit(fleet, number);
}

// --- Losses and pauses ---

static void lose_slot(Fleet *fleet, Slot *slot)
{
    if (slot->is_playing)
        end_play(fleet, slot);
    if (slot->has_unit)
        fleet->result.lost += slot->played - slot->begun;
    *slot = (Slot){.stamp = slot->stamp + 1, .next = NO_OWNER};
}

static void lose_worker(Fleet *fleet, uint32_t number)
{
    Worker *worker = &fleet->workers[number];
    if (worker->is_flushing) // the server has received everything: the lost worker still holds its unit
        commit(fleet, number);
    if (worker->has_locked)
        units_unlock(&fleet->units, &worker->locked);
    for (uint32_t i = 0; i < fleet->slots_each; i++)
        lose_slot(fleet, &fleet->slots[number * fleet->slots_each + i]);
    *worker = (Worker){
        .head = NO_OWNER, .tail = NO_OWNER, .owner = NO_OWNER, .stamp = worker->stamp + 1, .life = worker->life + 1};
    fleet->result.losses++;
    schedule(fleet, fleet->now + 60, TOURNAMENT_FORGET, number,
             0); // the time for which the server counts a silent worker
    schedule(fleet, fleet->now + fleet->back, TOURNAMENT_BACK, number, worker->life);
}

static void schedule_loss(Fleet *fleet, uint32_t number)
{
    if (fleet->loss > 0)
        schedule(fleet, fleet->now - log(1 - chance(fleet)) / fleet->loss, TOURNAMENT_LOSS, number,
                 fleet->workers[number].life);
}

static void start_worker(Fleet *fleet, uint32_t number)
{
    fleet->workers[number].is_alive = true;
    fleet->seen += fleet->slots_each;
    schedule_loss(fleet, number);
    double first_beat = chance(fleet) * unit_beat_seconds(fleet->units.lease);
    schedule(fleet, fleet->now + first_beat, TOURNAMENT_BEAT, number, fleet->workers[number].life);
    for (uint32_t i = number * fleet->slots_each; i < (number + 1) * fleet->slots_each; i++) {
        fleet->slots[i].asked = fleet->now;
        schedule(fleet, fleet->now, TOURNAMENT_REQUEST, i, fleet->slots[i].stamp);
    }
}

static void begin_pause(Fleet *fleet)
{
    fleet->is_down = true;
    server_crash(&fleet->server, fleet->worker_count);
    for (uint32_t i = 0; i < fleet->worker_count; i++) {
        fleet->workers[i].is_connected = false;
        if (fleet->workers[i].owner != NO_OWNER) {
            fail_operation(fleet, i);
            begin_operation(fleet, i);
        }
    }
    schedule(fleet, fleet->now + fleet->pause, TOURNAMENT_RESUME, 0, 0);
}

// --- Events ---

static void end_unit(Fleet *fleet, uint32_t number)
{
    Slot *slot = &fleet->slots[number];
    slot->stamp++;
    end_play(fleet, slot);
    slot->asked = fleet->now;
    request(fleet, number);
}

static void handle(Fleet *fleet, const HeapEntry *event)
{
    uint32_t who = event->who;
    switch ((TournamentKind)event->what) {
    case TOURNAMENT_REQUEST:
        if (fleet->slots[who].stamp == event->stamp)
            request(fleet, who);
        return;
    case TOURNAMENT_PLAYED:
        if (fleet->slots[who].stamp == event->stamp)
            end_unit(fleet, who);
        return;
    case TOURNAMENT_SENT:
        if (fleet->workers[who].stamp == event->stamp)
            compute_operation(fleet, who);
        return;
    case TOURNAMENT_BEAT:
        if (fleet->workers[who].life != event->stamp)
            return;
        fleet->workers[who].wants_beat = true;
        begin_operation(fleet, who);
        return;
    case TOURNAMENT_LOSS:
        if (fleet->workers[who].life == event->stamp)
            lose_worker(fleet, who);
        return;
    case TOURNAMENT_BACK:
        start_worker(fleet, who);
        return;
    case TOURNAMENT_FORGET:
        fleet->seen -= fleet->slots_each;
        return;
    case TOURNAMENT_PAUSE:
        begin_pause(fleet);
        return;
    case TOURNAMENT_RESUME:
        fleet->is_down = false;
        return;
    }
}

// Handles what the server completes at this moment.
static void take_from_server(Fleet *fleet)
{
    uint64_t stamp = 0;
    for (uint32_t who; (who = server_flushed(&fleet->server)) != SERVER_NOBODY;)
        if (fleet->workers[who].is_flushing)
            commit(fleet, who);
    for (uint32_t who; (who = server_computed(&fleet->server, &stamp)) != SERVER_NOBODY;) {
        if (who >= fleet->worker_count && fleet->slots[who - fleet->worker_count].stamp == stamp)
            end_unit(fleet, who - fleet->worker_count);
        else if (who < fleet->worker_count && fleet->workers[who].stamp == stamp)
            end_computation(fleet, who);
    }
}

Status fleet_go(Fleet *fleet, const atomic_bool *stop, Error *error)
{
    const double longest = 1e3 * (fleet->result.ideal + 3600); // a job that takes longer does not end
    for (uint64_t steps = 0; !units_are_over(&fleet->units); steps++) {
        double event = heap_key(&fleet->events), server = server_next(&fleet->server);
        fleet->now = event < server ? event : server;
        if (fleet->now > longest)
            return error_set(error, STATUS_FAILED, "the job does not end: %llu of %u games after %.0f s",
                             (unsigned long long)fleet->units.done, fleet->units.total, fleet->now);
        if (steps % 4096 == 0 && stop != NULL && atomic_load(stop))
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        server_go(&fleet->server, fleet->now);
        if (server <= event) {
            take_from_server(fleet);
        } else {
            HeapEntry next = heap_pop(&fleet->events);
            handle(fleet, &next);
        }
    }
    return STATUS_OK;
}

void fleet_begin(Fleet *fleet)
{
    double sum = 0;
    for (uint32_t game = 0; game < fleet->units.total; game++)
        sum += game_length(&fleet->lengths, game);
    fleet->result.mean_game = sum / fleet->units.total;
    fleet->result.ideal = sum / fleet->slot_count;
    for (uint32_t i = 0; i < fleet->worker_count; i++)
        fleet->workers[i] = (Worker){.head = NO_OWNER, .tail = NO_OWNER, .owner = NO_OWNER, .is_connected = true};
    for (uint32_t i = 0; i < fleet->worker_count; i++)
        start_worker(fleet, i); // all workers are connected and idle; the new job wakes them
    if (fleet->pause > 0)
        schedule(fleet, fleet->result.ideal / 2, TOURNAMENT_PAUSE, 0, 0);
}
