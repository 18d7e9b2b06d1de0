// The results of krow check-engine as text and JSON.
#pragma once

#include "external/check/check.h"
#include "external/sandbox_report.h"

#include <jansson.h>
#include <stdio.h>

// One line, and more about a check that did not pass; `verbose`: the whole conversation.
void check_print(const CheckResult *result, bool verbose, FILE *out);

// "33 passed, 1 failed, 1 not supported: not ready".
void check_print_summary(const CheckReport *report, FILE *out);

// One line for each protection of the sandbox; `only_missing`: those that this machine does not have.
void check_print_protections(const Protection *list, unsigned count, bool only_missing, FILE *out);

json_t *check_json(const char *engine, const CheckReport *report);

// Adds `protections` to the object.
void check_add_protections(json_t *object, const Protection *list, unsigned count);

// Whether an engine has passed everything that it supports.
bool check_is_ready(const CheckReport *report);
