// Tests of the simulation of workers on cases with known numbers, and of the unit formulas that it shares with workers.
#include "fleet/fleet_internal.h"
#include "store/db/jobs/unit_policy.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

static const char free_of_charge[] = "unit-ms=0,game-ms=0,beat-ms=0,slot-ms=0,poll-ms=0,connect-ms=0,flush-ms=0,"
                                     "trip-ms=0,own-ms=0";

static FleetResult simulate(const char *costs, const char *text)
{
    char both[512];
    OptionValues options;
    FleetResult result;
    Error error = {0};
    (void)snprintf(both, sizeof both, "%s%s%s", costs, costs[0] != '\0' ? "," : "", text);
    assert_done(options_parse((OptionList){fleet_options, NULL}, span_of(both), &options, &error), error);
    assert_done(fleet_run(&options, NULL, &result, &error), error);
    assert_int_equal(result.doubled, 0);
    return result;
}

static void assert_near(double value, double wanted, double part)
{
    if (!(value >= wanted * (1 - part) && value <= wanted * (1 + part)))
        fail_msg("%.6g is not %.6g within %.2g %%", value, wanted, 100 * part);
}

// Without a server that takes time, all slots play from the beginning to the end.
static void test_free_server(void **state)
{
    (void)state;
    FleetResult found = simulate(free_of_charge, "workers=4,slots=2,game=fixed,length=0.5,games=1920");
    assert_near(found.seconds, 120, 1e-9);
    assert_near(found.ideal, 120, 1e-9);
    assert_near(found.busy, 1, 1e-9);
    assert_near(found.busy_last, 1, 1e-9);
    assert_int_equal(found.games, 1920);
    assert_int_equal(found.units, 960); // a second each
}

// One slot: every unit takes its play, its round trips, its CPU time and a flush of its own.
static void test_one_slot(void **state)
{
    (void)state;
    FleetResult found = simulate("", "workers=1,game=fixed,length=0.05,games=200,unit=1,unit-ms=2,game-ms=1,beat-ms=0,"
                                     "slot-ms=0,flush-ms=4,trip-ms=1,own-ms=6,poll-ms=0,lease=1000000");
    // Statements: three and two a game before the claim, four for it. At first there is a claim alone, at the end none.
    double unit = 0.1 + (7 + 4) * 0.001 + 0.006 + 0.004 + 0.004, first = (5 + 4) * 0.001 + 0.006 + 0.001 + 0.004;
    assert_near(found.seconds, 100 * unit + first - 4 * 0.001 - 0.003 - 0.001, 0.001);
    assert_near(found.claim_median_ms, (unit - 0.1) * 1000, 0.03);
    assert_near(found.busy, 0.1 / unit, 0.01);
}

// Where the server has more to do than it can, units come as fast as its cores go, whatever the workers are.
static void test_cores_are_the_limit(void **state)
{
    (void)state;
    const char *many = "workers=60,game=fixed,length=0.001,games=8000,unit=1,unit-ms=8,game-ms=1,beat-ms=0,slot-ms=0,"
                       "poll-ms=0,flush-ms=0.01,trip-ms=0,own-ms=0";
    FleetResult one = simulate("cores=1", many);
    assert_near(one.units_a_second, 100, 0.02);
    assert_near(one.cpu, 1, 0.02);
    assert_near(simulate("cores=4", many).units_a_second, 400, 0.03);
}

// One flush takes the log of all who wait: with many workers there are many commits a flush, with one there is one.
static void test_flushes_are_shared(void **state)
{
    (void)state;
    double last = 0;
    for (unsigned workers = 1; workers <= 32; workers *= 2) {
        char text[200];
        (void)snprintf(
            text, sizeof text,
            "workers=%u,games=%u,game=fixed,length=0.0001,unit=1,flush-ms=10,lease=1000000,unit-ms=0,game-ms=0,"
            "beat-ms=0,slot-ms=0,poll-ms=0,trip-ms=0,own-ms=0",
            workers, 400 * workers);
        FleetResult found = simulate("", text);
        if (workers == 1)
            assert_near(found.units_a_second, 1 / 0.0102, 0.01);
        else // between one flush for all of them and two
            assert_true(found.units_a_second > workers / 0.022 && found.units_a_second < workers / 0.0100);
        assert_true(found.units_a_second > 0.9 * last);
        last = found.units_a_second;
    }
}

static void test_same_seed_same_numbers(void **state)
{
    (void)state;
    const char *text = "workers=50,slots=2,minutes=3,loss=10,pause=20,lease=15";
    FleetResult a = simulate("seed=1", text), b = simulate("seed=1", text), c = simulate("seed=2", text);
    assert_true(a.seconds == b.seconds && a.lost == b.lost && a.polls == b.polls && a.busy == b.busy);
    assert_true(a.seconds != c.seconds);
}

// Whoever is lost on the way, and while the server is gone: every game is stored once.
static void test_every_game_once(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        char text[200];
        (void)snprintf(text, sizeof text,
                       "workers=20,slots=%u,games=4001,loss=60,back=10,pause=%u,lease=10,cores=0.5,seconds=%u,seed=%u",
                       1 + seed % 3, 5 * (seed % 5), 1 + seed % 7, seed);
        FleetResult found = simulate("", text);
        assert_int_equal(found.games + found.aside, 4001);
        assert_true(found.losses > 0 && found.expired > 0 && found.lost > 0);
        assert_true(found.aside < 40); // lost five times, by chance
        assert_true(found.seconds > found.ideal);
    }
}

// What a lost worker held is played by others after its lease, and not before.
static void test_leases(void **state)
{
    (void)state;
    const char *text = "workers=2,game=fixed,length=10,games=4,unit=1,back=100000,lease=50,seed=5";
    assert_near(simulate("loss=0", text).seconds, 20, 0.01);
    FleetResult found = simulate("loss=40", text); // one dies within the first units
    assert_int_equal(found.losses, 1);
    assert_int_equal(found.expired, 1);
    assert_true(found.seconds > 50 + 20);
}

// A worker that has lost its lease cannot submit the unit, even if another worker holds the unit or its index by then.
static void test_late_results(void **state)
{
    (void)state;
    Units units;
    Locked locked;
    units_open(&units, 2, 1, 10);
    assert_true(units_lock(&units, 2, 1, &locked));
    assert_false(units_lock(&units, 2, 1, &locked));
    uint32_t place = units_take(&units, &locked, 0);
    uint64_t token = units.held[place].token;
    assert_false(units_expire(&units, 9));
    assert_true(units_expire(&units, 11));
    assert_false(units_finish(&units, place, token));
    assert_true(units_lock(&units, 2, 1, &locked));
    uint32_t again = units_take(&units, &locked, 12);
    assert_int_equal(again, place);
    assert_false(units_finish(&units, place, token));
    assert_true(units_finish(&units, again, units.held[again].token));
    assert_true(units_are_over(&units) && units.doubled == 0 && units.done == 2);
    units_close(&units);
}

static void test_larger_units_relieve_the_server(void **state)
{
    (void)state;
    const char *text = "workers=400,game=fixed,length=0.1,minutes=3,game-ms=0.02,cores=0.25";
    assert_true(simulate("seconds=1", text).busy < 0.7);
    assert_true(simulate("seconds=16", text).busy > 0.85);
}

// --- The laws ---

static void test_sizes(void **state)
{
    (void)state;
    UnitOffer much = {.step = 2, .games = 10000, .left = 100000, .slots = 10};
    UnitOffer little = {.step = 2, .games = 10000, .left = 100, .slots = 10};
    assert_int_equal(unit_size(&much, 51), 50);
    assert_int_equal(unit_size(&little, 50), 4);
    little.left = 2;
    assert_int_equal(unit_size(&little, 50), 2);
    much.games = 7;
    assert_int_equal(unit_size(&much, 50), 7);
    much.unit = 2;
    assert_int_equal(unit_size(&much, 50), 4);
    much.failures = 1;
    assert_int_equal(unit_size(&much, 50), 2);
    assert_int_equal(unit_most(0, 1, 2), 2);
    assert_int_equal(unit_most(100, 2, 2), 200);
    assert_int_equal(unit_most(0, 1, 1), 1);
    assert_int_equal(unit_most(1e6, 8, 2), UNIT_GAMES_MAX);
}

// Open units become more where slots are many, and never so small that they limit what is taken.
static void test_open_units_are_split(void **state)
{
    (void)state;
    UnitOffer offer = {.step = 2, .games = 1002, .left = 100000, .slots = 10, .open = UNIT_FIRST_UNITS};
    assert_int_equal(unit_stays(&offer, 2), 1000);
    offer.open = 10;
    assert_int_equal(unit_stays(&offer, 2), 500);
    assert_int_equal(unit_stays(&offer, 202), 800);
    offer.open = UNIT_FIRST_UNITS;
    offer.slots = 10000;
    assert_int_equal(unit_stays(&offer, 2), 500);
    offer.open = UNIT_OPEN_MAX;
    assert_int_equal(unit_stays(&offer, 2), 1000);
    offer.games = 2;
    assert_int_equal(unit_stays(&offer, 2), 0);
}

// A few slots choose units of one second, a thousand slots larger ones; units never become endless.
static void test_many_slots_want_larger_units(void **state)
{
    (void)state;
    assert_near(unit_seconds(0), 1, 1e-9);
    assert_near(unit_seconds(100), 1, 1e-9);
    assert_near(unit_seconds(1000), 4, 1e-9);
    assert_near(unit_seconds(1000000), 16, 1e-9);
    const char *text = "workers=1000,game=connect4,length=0.1,minutes=2,cores=1";
    FleetResult second = simulate("seconds=1", text), law = simulate("", text);
    assert_true(law.units < second.units / 2);
    assert_true(law.busy > second.busy);
}

static void test_pauses_grow(void **state)
{
    (void)state;
    for (unsigned tries = 0; tries < 40; tries++) {
        assert_true(unit_retry_seconds(tries, 0) >= 0.25 && unit_retry_seconds(tries, 1) <= 60);
        assert_true(unit_retry_seconds(tries + 1, 0) >= unit_retry_seconds(tries, 0));
        assert_true(unit_late_seconds(tries, 0) >= 0.005 && unit_late_seconds(tries, 1) <= UNIT_IDLE_SECONDS);
        assert_true(unit_late_seconds(tries + 1, 0) >= unit_late_seconds(tries, 0));
    }
    assert_near(unit_beat_seconds(2), 0.5, 1e-9);
    assert_true(unit_beat_seconds(1e6) < 10);
}

TEST_GROUP(fleet)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_server),
        cmocka_unit_test(test_one_slot),
        cmocka_unit_test(test_cores_are_the_limit),
        cmocka_unit_test(test_flushes_are_shared),
        cmocka_unit_test(test_same_seed_same_numbers),
        cmocka_unit_test(test_every_game_once),
        cmocka_unit_test(test_leases),
        cmocka_unit_test(test_late_results),
        cmocka_unit_test(test_larger_units_relieve_the_server),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_open_units_are_split),
        cmocka_unit_test(test_many_slots_want_larger_units),
        cmocka_unit_test(test_pauses_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
