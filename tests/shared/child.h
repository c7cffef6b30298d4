// child.h - run a function that is expected to end the program, in a process of its own.
#ifndef HEDDLE_TESTS_CHILD_H
#define HEDDLE_TESTS_CHILD_H

#include <stddef.h>

// Exit status of a child that runs f (0 if it returned); what it wrote to standard error is in
// `said`. Being killed fails the test.
int child_status(void (*f)(void), char *said, size_t bytes);

#endif
