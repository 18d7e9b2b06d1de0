// Networks as files: a text header and the numbers (engine/eval/network.h).
#include "engine/eval/network_internal.h"

#include "base/checksum.h"
#include "base/file.h"
#include "engine/eval/weights.h"

#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 64 << 20 };

// --- Numbers ---

// Little-endian integers at the end of a text, or read from one.
typedef struct {
    Text *to; // NULL: reading
    const uint8_t *from;
    int32_t lowest, highest; // of all numbers since they were set
} Numbers;

static void pass_number(Numbers *numbers, int32_t *number, unsigned bytes)
{
    if (numbers->to != NULL) {
        char data[4];
        for (unsigned i = 0; i < bytes; i++)
            data[i] = (char)((uint32_t)*number >> (8 * i) & 0xff);
        text_add_span(numbers->to, (Span){data, bytes});
        return;
    }
    uint32_t read = 0;
    for (unsigned i = 0; i < bytes; i++)
        read |= (uint32_t)*numbers->from++ << (8 * i);
    *number = bytes == 2 ? (int16_t)(uint16_t)read : (int32_t)read;
    numbers->lowest = *number < numbers->lowest ? *number : numbers->lowest;
    numbers->highest = *number > numbers->highest ? *number : numbers->highest;
}

static bool pass_short(Numbers *numbers, int16_t *list, size_t count, int32_t most)
{
    numbers->lowest = numbers->highest = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t number = list[i];
        pass_number(numbers, &number, 2);
        list[i] = (int16_t)number;
    }
    return numbers->lowest >= -most && numbers->highest <= most;
}

static bool pass_long(Numbers *numbers, int32_t *list, size_t count)
{
    numbers->lowest = numbers->highest = 0;
    for (size_t i = 0; i < count; i++)
        pass_number(numbers, &list[i], 4);
    return numbers->lowest >= -NETWORK_BIAS_MAX && numbers->highest <= NETWORK_BIAS_MAX;
}

static size_t numbers_size(const NetworkShapes *shapes)
{
    size_t layers =
        2u * (NETWORK_INPUTS * NETWORK_FIRST + NETWORK_FIRST * NETWORK_SECOND + NETWORK_SECOND * NETWORK_OUTPUTS) +
        4u * (NETWORK_FIRST + NETWORK_SECOND + NETWORK_OUTPUTS);
    return 2 * ((size_t)shapes->count + 1) * NETWORK_WIDTH + shapes->stages * layers;
}

// Writes or reads all numbers, in the order of a file; false if one is too large.
static bool pass_all(Numbers *numbers, Network *network)
{
    bool fits =
        pass_short(numbers, network->vectors, (size_t)network->shapes.count * NETWORK_WIDTH, NETWORK_VECTOR_MAX);
    fits &= pass_short(numbers, network->bias, NETWORK_WIDTH, NETWORK_VECTOR_MAX);
    for (unsigned stage = 0; stage < network->shapes.stages; stage++) {
        NetworkLayers *layers = &network->layers[stage];
        fits &= pass_short(numbers, layers->first[0], (size_t)NETWORK_INPUTS * NETWORK_FIRST, NETWORK_WEIGHT_MAX);
        fits &= pass_long(numbers, layers->first_bias, NETWORK_FIRST);
        fits &= pass_short(numbers, layers->second[0], (size_t)NETWORK_FIRST * NETWORK_SECOND, NETWORK_WEIGHT_MAX);
        fits &= pass_long(numbers, layers->second_bias, NETWORK_SECOND);
        fits &= pass_short(numbers, layers->last[0], (size_t)NETWORK_SECOND * NETWORK_OUTPUTS, NETWORK_WEIGHT_MAX);
        fits &= pass_long(numbers, layers->last_bias, NETWORK_OUTPUTS);
    }
    return fits;
}

// --- Writing ---

void network_format(Network *network, Text *text)
{
    char family[WEIGHTS_FAMILY_SIZE];
    Text data = {0};
    Numbers numbers = {.to = &data};
    (void)pass_all(&numbers, network);
    weights_family(&network->rules, family);
    text_add(text, "krow network %d\nfamily %s\nsize %u %d %d %d\n", NETWORK_VERSION, family, network->shapes.count,
             NETWORK_WIDTH, NETWORK_FIRST, NETWORK_SECOND);
    if (network->largest > 0)
        text_add(text, "boards %u-%u\n", network->smallest, network->largest);
    Span rest = {network->source.data, network->source.length}, line = {0};
    while (span_next_part(&rest, '\n', &line))
        text_add(text, "source %.*s\n", (int)line.length, line.at);
    text_add(text, "checksum %08x\n\n", checksum_crc32((Span){data.data, data.length}));
    text_add_span(text, (Span){data.data, data.length});
    text_close(&data);
}

// --- Reading ---

typedef struct {
    char family[WEIGHTS_FAMILY_SIZE], size[64], checksum[16];
    unsigned smallest, largest;
    Text source;
} Header;

static Status read_boards(Header *header, Span text, Error *error)
{
    Span rest = text, low = {0};
    int64_t smallest, largest;
    if (!span_next_part(&rest, '-', &low) || !span_to_int(low, 1, RULES_SIDE_MAX, &smallest) ||
        !span_to_int(rest, smallest, RULES_SIDE_MAX, &largest))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not a range of sizes such as 13-20", SPAN_PRINT(text));
    header->smallest = (unsigned)smallest;
    header->largest = (unsigned)largest;
    return STATUS_OK;
}

static Status read_line(Header *header, Span line, Error *error)
{
    Span key = {0}, rest = line;
    (void)span_next_word(&rest, " ", &key);
    rest = span_trim(rest);
    if (span_is(key, "family"))
        (void)snprintf(header->family, sizeof header->family, "%.*s", SPAN_PRINT(rest));
    else if (span_is(key, "size"))
        (void)snprintf(header->size, sizeof header->size, "%.*s", SPAN_PRINT(rest));
    else if (span_is(key, "boards"))
        return read_boards(header, rest, error);
    else if (span_is(key, "checksum"))
        (void)snprintf(header->checksum, sizeof header->checksum, "%.*s", SPAN_PRINT(rest));
    else if (span_is(key, "source"))
        text_add(&header->source, "%.*s\n", (int)rest.length, rest.at);
    else
        return error_set(error, STATUS_BAD_INPUT, "unknown line '%.*s'", SPAN_PRINT(line));
    return STATUS_OK;
}

static Status read_header(Header *header, Span *content, Error *error)
{
    char first[32];
    Span line = {0};
    (void)snprintf(first, sizeof first, "krow network %d", NETWORK_VERSION);
    if (!span_next_part(content, '\n', &line) || !span_is(line, first))
        return error_set(error, STATUS_BAD_INPUT, "not a network of krow: the first line is not '%s'", first);
    Status status = STATUS_OK;
    unsigned number = 1;
    while (status == STATUS_OK && span_next_part(content, '\n', &line) && line.length > 0) {
        status = read_line(header, line, error);
        number++;
        if (status != STATUS_OK)
            error_prefix(error, "line %u: ", number);
    }
    return status;
}

static Status check_header(const Header *header, const Network *network, Span numbers, Error *error)
{
    char family[WEIGHTS_FAMILY_SIZE], size[sizeof header->size], sum[sizeof header->checksum];
    weights_family(&network->rules, family);
    if (strcmp(header->family, family) != 0)
        return error_set(error, STATUS_BAD_INPUT, "a network for the family '%s', but this game is of the family %s",
                         header->family, family);
    (void)snprintf(size, sizeof size, "%u %d %d %d", network->shapes.count, NETWORK_WIDTH, NETWORK_FIRST,
                   NETWORK_SECOND);
    if (strcmp(header->size, size) != 0)
        return error_set(error, STATUS_BAD_INPUT, "a network of the size '%s', expected %s", header->size, size);
    size_t expected = numbers_size(&network->shapes);
    if (numbers.length != expected)
        return error_set(error, STATUS_BAD_INPUT, "the file has %zu bytes of numbers instead of %zu", numbers.length,
                         expected);
    (void)snprintf(sum, sizeof sum, "%08x", checksum_crc32(numbers));
    if (strcmp(header->checksum, sum) != 0)
        return error_set(error, STATUS_BAD_INPUT, "damaged: the checksum is %s instead of '%s'", sum, header->checksum);
    return STATUS_OK;
}

Status network_parse(Network **opened, const Rules *rules, Span content, Error *error)
{
    Header header = {0};
    Network *network = NULL;
    *opened = NULL;
    Status status = read_header(&header, &content, error);
    if (status == STATUS_OK)
        status = network_new(&network, rules, error);
    if (status == STATUS_OK)
        status = check_header(&header, network, content, error);
    if (status == STATUS_OK) {
        Numbers numbers = {.from = (const uint8_t *)content.at};
        if (!pass_all(&numbers, network))
            status = error_set(error, STATUS_BAD_INPUT, "a number is out of range");
    }
    if (status != STATUS_OK) {
        text_close(&header.source);
        network_close(network);
        return status;
    }
    network->source = header.source;
    network->smallest = header.smallest;
    network->largest = header.largest;
    network_prepare(network);
    *opened = network;
    return STATUS_OK;
}

// Whether a compiled network is for these rules; its header is right.
static bool is_compiled_for(Span content, const Rules *rules)
{
    char family[WEIGHTS_FAMILY_SIZE];
    Header header = {0};
    weights_family(rules, family);
    bool is_right = read_header(&header, &content, NULL) == STATUS_OK && strcmp(header.family, family) == 0;
    text_close(&header.source);
    unsigned least = rules->width < rules->height ? rules->width : rules->height,
             most = rules->width > rules->height ? rules->width : rules->height;
    return is_right && (header.largest == 0 || (least >= header.smallest && most <= header.largest));
}

Status network_find(Network **network, const Rules *rules, Error *error)
{
    *network = NULL;
    for (unsigned i = 0; i < networks_trained_count && network_suits(rules); i++)
        if (is_compiled_for(networks_trained[i], rules))
            return network_parse(network, rules, networks_trained[i], error);
    return STATUS_OK;
}

Status network_read(Network **network, const char *name, const Rules *rules, Error *error)
{
    *network = NULL;
    if (name == NULL || name[0] == '\0')
        return network_find(network, rules, error);
    if (strcmp(name, "none") == 0)
        return STATUS_OK;
    Text content = {0};
    Status status = file_read(name, FILE_MAX, &content, error);
    if (status == STATUS_OK) {
        status = network_parse(network, rules, (Span){content.data, content.length}, error);
        if (status != STATUS_OK)
            error_prefix(error, "%s: ", name);
    }
    text_close(&content);
    return status;
}
