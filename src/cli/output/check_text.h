// The results of krow check-engine as text and JSON.
#pragma once

#include "external/check/check.h"

#include <jansson.h>
#include <stdio.h>

// One line, and more about a check that did not pass; `verbose`: the whole conversation.
void check_print(const CheckResult *result, bool verbose, FILE *out);

// "33 passed, 1 failed, 1 not supported: not ready".
void check_print_summary(const CheckReport *report, FILE *out);

json_t *check_json(const char *engine, const CheckReport *report);

// Whether an engine has passed everything that it supports.
bool check_is_ready(const CheckReport *report);
