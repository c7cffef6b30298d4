// shrQATest.h - the begin and end of programs of the CUDA SDK 4, written anew: they say their name and
// whether they passed, and exit.
#ifndef HEDDLE_LEGACY_SHRQATEST_H
#define HEDDLE_LEGACY_SHRQATEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum eQAstatus { QA_FAILED = 0, QA_PASSED = 1, QA_WAIVED = 2 };

static inline const char *heddle_qa_name(const char *program)
{
    const char *slash = strrchr(program, '/');

    return slash ? slash + 1 : program;
}

static inline void shrQAStart(int argc, char **argv)
{
    (void)argc;
    printf("[%s] starting...\n\n", heddle_qa_name(argv[0]));
    fflush(stdout);
}

static inline void shrQAFinish(int argc, const char **argv, int status)
{
    static const char *const results[] = {"FAILED", "PASSED", "WAIVED"};

    (void)argc;
    printf("[%s] test results...\n%s\n", heddle_qa_name(argv[0]),
           results[status >= QA_FAILED && status <= QA_WAIVED ? status : QA_FAILED]);
    fflush(stdout);
}

// A test that is waived has not failed.
static inline void shrQAFinishExit(int argc, const char **argv, int status)
{
    shrQAFinish(argc, argv, status);
    exit(status == QA_FAILED ? EXIT_FAILURE : EXIT_SUCCESS);
}

static inline void shrQAFinishExit2(int quiet_test, int argc, const char **argv, int status)
{
    (void)quiet_test;
    shrQAFinishExit(argc, argv, status);
}

#endif
