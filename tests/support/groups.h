// Finds what other programs have left behind: processes of a group, open descriptors.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

// Whether no process of the group lives any more. Waits for a while, since the kernel ends processes in its own time;
// those that have ended and wait for their parent do not count.
bool group_is_gone(pid_t group);

// Descriptors this program has open.
int open_descriptors(void);
