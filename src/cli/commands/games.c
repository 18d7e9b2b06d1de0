// krow games: the presets.
#include "cli/commands.h"

static json_t *to_json(const RulesPreset *preset)
{
    Rules rules;
    (void)rules_parse(span_of(preset->text), &rules, NULL);
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:b, s:b}", "name", preset->name, "game", preset->text,
                     "summary", preset->about, "width", rules.width, "height", rules.height, "k", rules.k, "p",
                     (int)rules.p, "q", (int)rules.q, "gravity", rules.gravity, "exact", rules.exact);
}

static Status run(const void *options, Error *error)
{
    const CommandLine *args = options;
    if (args->json) {
        json_t *list = json_array();
        for (int i = 0; i < rules_preset_count; i++)
            (void)json_array_append_new(list, to_json(&rules_presets[i]));
        return output_json(json_pack("{s:o}", "games", list), error);
    }
    for (int i = 0; i < rules_preset_count; i++)
        (void)printf("%-10s %-18s %s\n", rules_presets[i].name, rules_presets[i].text, rules_presets[i].about);
    (void)printf("\nAny other game: WxH:k=K[,p=P][,q=Q][,gravity][,exact]\n"
                 "  W columns and H rows, 1 to 64 each; K stones in a row win; P stones a turn, Q at\n"
                 "  the first (default 1); gravity: stones fall; exact: more than K in a row do not win.\n"
                 "  Example: 9x7:k=5,gravity\n");
    return STATUS_OK;
}

static const CliOption options[] = {OPTION_JSON, CLI_END(CommandLine)};

const Command command_games = {
    .name = "games",
    .summary = "List the named games, and how to write any other",
    .about = "Every GAME argument accepts these names and the texts beside them.",
    .options = options,
    .run = run,
};
