// Networks as files. Accepted networks are unchanged when written and read again, and can be evaluated. The first byte
// chooses the rules.
#include "engine/eval/network.h"
#include "fuzz/fuzz.h"

FUZZ_TARGET(network)
{
    Span text = {(const char *)data, size};
    Rules rules = fuzz_rules(&text);
    Error error = {0};
    Network *network, *again;
    Status status = network_parse(&network, &rules, text, &error);
    if (status != STATUS_OK) {
        REQUIRE(network == NULL && error.text[0] != '\0');
        return 0;
    }
    Text written = {0}, copy = {0};
    network_format(network, &written);
    REQUIRE(network_parse(&again, &rules, (Span){written.data, written.length}, NULL) == STATUS_OK);
    network_format(again, &copy);
    REQUIRE(written.length == copy.length && memcmp(written.data, copy.data, copy.length) == 0);
    network_close(network);
    network_close(again);
    text_close(&written);
    text_close(&copy);
    return 0;
}
