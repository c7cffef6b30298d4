// child.c - see child.h.
#include "shared/child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

int child_status(void (*f)(void), char *said, size_t bytes)
{
    int out[2], status = 0;
    size_t n = 0;
    ssize_t got;
    pid_t child;

    assert_int_equal(pipe(out), 0);
    child = fork();
    if (!child) {
        close(out[0]);
        dup2(out[1], STDERR_FILENO);
        f();
        _exit(0);
    }
    close(out[1]);
    while (n + 1 < bytes && (got = read(out[0], said + n, bytes - 1 - n)) > 0)
        n += (size_t)got;
    said[n] = '\0';
    close(out[0]);
    waitpid(child, &status, 0);
    if (!WIFEXITED(status))
        fail_msg("killed by signal %d: %s", WTERMSIG(status), said);
    return WEXITSTATUS(status);
}
