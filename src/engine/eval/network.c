// Networks in memory (engine/eval/network.h).
#include "engine/eval/network_internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *lanes_new(size_t size)
{
    size_t whole = (size + sizeof(Lanes) - 1) / sizeof(Lanes) * sizeof(Lanes);
    void *memory = memory_aligned(sizeof(Lanes), whole);
    if (memory != NULL)
        memset(memory, 0, whole);
    return memory;
}

Status network_new(Network **opened, const Rules *rules, Error *error)
{
    NetworkShapes shapes;
    *opened = NULL;
    Status status = network_shapes_open(&shapes, rules, error);
    if (status != STATUS_OK)
        return status;
    Network *network = memory_new(1, sizeof *network);
    network->rules = *rules;
    network->shapes = shapes;
    network->vectors = calloc((size_t)shapes.count * NETWORK_WIDTH, sizeof *network->vectors);
    network->layers = memory_new(shapes.stages, sizeof *network->layers);
    network->views = lanes_new((size_t)shapes.count * NETWORK_ROWS * sizeof(Lanes));
    network->fast = lanes_new(shapes.stages * sizeof(FastLayers));
    if (network->vectors == NULL || network->views == NULL || network->fast == NULL) {
        network_close(network);
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for the network");
    }
    network_prepare(network);
    *opened = network;
    return STATUS_OK;
}

void network_close(Network *network)
{
    if (network == NULL)
        return;
    network_shapes_close(&network->shapes);
    free(network->vectors);
    free(network->layers);
    memory_aligned_free(network->views);
    memory_aligned_free(network->fast);
    text_close(&network->source);
    free(network);
}

static void prepare_views(Network *network)
{
    const NetworkShapes *shapes = &network->shapes;
    Lanes *views = network->views;
    for (unsigned shape = 0; shape < shapes->count; shape++) {
        const int16_t *first = network->vectors + (size_t)shape * NETWORK_WIDTH;
        const int16_t *second = network->vectors + (size_t)network_shape_exchanged(shapes, shape) * NETWORK_WIDTH;
        Lanes *rows = views + (size_t)shape * NETWORK_ROWS;
        for (unsigned i = 0; i < NETWORK_WIDTH; i++) {
            rows[i / LANES][i % LANES] = first[i];
            rows[(NETWORK_WIDTH + i) / LANES][i % LANES] = second[i];
        }
    }
}

static void prepare_layers(const NetworkLayers *layers, FastLayers *fast)
{
    for (unsigned i = 0; i < NETWORK_INPUTS; i++)
        for (unsigned j = 0; j < NETWORK_FIRST; j++)
            fast->first[i / 2][j / WIDE][2 * (j % WIDE) + i % 2] = layers->first[i][j];
    for (unsigned i = 0; i < NETWORK_FIRST; i++)
        for (unsigned j = 0; j < NETWORK_SECOND; j++)
            fast->second[i / 2][j / WIDE][2 * (j % WIDE) + i % 2] = layers->second[i][j];
    for (unsigned i = 0; i < NETWORK_SECOND; i++)
        for (unsigned j = 0; j < NETWORK_OUTPUTS; j++)
            fast->last[j][i / LANES][i % LANES] = layers->last[i][j];
    memcpy(fast->first_bias, layers->first_bias, sizeof fast->first_bias);
    memcpy(fast->second_bias, layers->second_bias, sizeof fast->second_bias);
    memcpy(fast->last_bias, layers->last_bias, sizeof fast->last_bias);
}

void network_prepare(Network *network)
{
    prepare_views(network);
    for (unsigned stage = 0; stage < network->shapes.stages; stage++)
        prepare_layers(&network->layers[stage], (FastLayers *)network->fast + stage);
    // log(exp(odds) + 1 / 2): an outcome that includes half of the draws.
    for (int odds = -NETWORK_DRAWS_MAX; odds <= NETWORK_DRAWS_MAX; odds++)
        network->with_draws[NETWORK_DRAWS_MAX + odds] =
            (int16_t)lrint(WEIGHTS_UNIT * log(exp((double)odds / WEIGHTS_UNIT) + 0.5));
}
