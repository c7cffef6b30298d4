// verdict.c - tries a policy. See verdict.h.
//
// In addition to the runs of contract.h, a plug-in's file is examined: the functions that it calls
// and the variables that it has show more about clocks and globals than any number of runs.
#include "contract/verdict.h"

#include "base/bug.h"
#include "base/hostclock.h"
#include "contract/contract.h"
#include "registry/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEEDS 4
#define CYCLES 5000     // of a life
#define CALL_SECONDS 5  // that a call may take
#define TICK_NS 2000000 // between two checks

// Functions that make an answer depend on more than state and view, or end the run.
static const char *const forbidden[] = {
    "rand",   "srand",        "random",  "srandom", "drand48", "lrand48", "rand_r", "time",
    "clock",  "gettimeofday", "getenv",  "fopen",   "open",    "read",    "getpid", "clock_gettime",
    "malloc", "calloc",       "realloc", "exit",    "abort",   NULL};

static bool is_forbidden(const char *name)
{
    for (unsigned i = 0; forbidden[i]; i++)
        if (!strcmp(forbidden[i], name))
            return true;
    return false;
}

// Written by every compiler's start-up code.
static bool is_compilers(const char *name)
{
    return !strncmp(name, "completed.", 10) || !strncmp(name, "__", 2) || name[0] == '_' || !*name;
}

struct looked { // at a file
    Elf *elf;
    const char *calls, *variable; // the first of each
};

static bool is_writable(Elf *elf, size_t index)
{
    Elf_Scn *section = elf_getscn(elf, index);
    GElf_Shdr head;

    // Tables of constants with addresses in them are made read-only by the loader.
    if (!section || !gelf_getshdr(section, &head) || !(head.sh_flags & SHF_WRITE))
        return false;
    size_t names;
    const char *name = elf_getshdrstrndx(elf, &names) ? NULL : elf_strptr(elf, names, head.sh_name);
    return name && (!strcmp(name, ".data") || !strcmp(name, ".bss"));
}

static void look_at_symbols(struct looked *l, Elf_Scn *section, const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t n = head->sh_entsize ? head->sh_size / head->sh_entsize : 0;
    GElf_Sym symbol;

    for (size_t i = 0; data && i < n && gelf_getsym(data, (int)i, &symbol); i++) {
        const char *name = elf_strptr(l->elf, head->sh_link, symbol.st_name);
        if (!name)
            continue;
        if (symbol.st_shndx == SHN_UNDEF && head->sh_type == SHT_DYNSYM && is_forbidden(name))
            l->calls = name;
        if (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx < SHN_LORESERVE &&
            !is_compilers(name) && is_writable(l->elf, symbol.st_shndx))
            l->variable = name;
    }
}

// False: a rule is broken.
static bool look_at_file(const char *file, FILE *to)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    struct looked l = {.elf = elf_version(EV_CURRENT) != EV_NONE && fd >= 0
                                  ? elf_begin(fd, ELF_C_READ, NULL)
                                  : NULL};
    Elf_Scn *section = NULL;
    GElf_Shdr head;

    while (l.elf && (section = elf_nextscn(l.elf, section)))
        if (gelf_getshdr(section, &head) &&
            (head.sh_type == SHT_DYNSYM || head.sh_type == SHT_SYMTAB))
            look_at_symbols(&l, section, &head);
    if (l.calls)
        fprintf(to, "  %-52s broken: it calls %s()\n", "calls no clock, random numbers, memory",
                l.calls);
    else
        fprintf(to, "  %-52s ok\n", "calls no clock, random numbers, memory");
    if (l.variable)
        fprintf(to,
                "  %-52s broken: '%s' can be written; make tables const, keep everything else in "
                "the state\n",
                "has no variables of its own", l.variable);
    else
        fprintf(to, "  %-52s ok\n", "has no variables of its own");
    bool good = !l.calls && !l.variable;
    elf_end(l.elf);
    if (fd >= 0)
        close(fd);
    return good;
}

__attribute__((noreturn)) static void try(struct hd_contract *out, const struct hd_policy_choice *c)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGALRM};

    struct sigaction plain = {.sa_handler = SIG_DFL};
    struct rlimit none = {0, 0};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
    hd_crash_over(); // the parent reports that exit() was called
    for (unsigned i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &plain, NULL); // the parent reports
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        hd_contract_live(out, c->policy, c->params, seed, CYCLES);
    hd_contract_interleave(out, c->policy, c->params, SEEDS + 1, CYCLES);
    out->doing = NULL;
    _exit(0);
}

// The status of the process; it is ended when a call takes too long.
static int watch(pid_t pid, const struct hd_contract *out, bool *late)
{
    struct timespec tick = {.tv_nsec = TICK_NS};
    uint64_t calls = 0;
    double since = hd_hostclock_now();
    int status = 0;

    for (;;) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR))
            return status;
        if (out->calls != calls) {
            calls = out->calls;
            since = hd_hostclock_now();
        } else if (hd_hostclock_now() - since > CALL_SECONDS) {
            *late = true;
            kill(pid, SIGKILL);
        }
        nanosleep(&tick, NULL);
    }
}

// What ended the trial early; false: nothing did.
static bool put_end(const struct hd_contract *out, int status, bool late, FILE *to)
{
    bool called = out->doing && *out->doing;
    const char *in = called ? out->doing : "the trial", *mark = called ? "()" : "";

    if (late)
        fprintf(to, "broken: %s%s did not return within %d s (call %llu)\n", in, mark, CALL_SECONDS,
                (unsigned long long)out->calls);
    else if (WIFSIGNALED(status))
        fprintf(to, "broken: %s%s ended with \"%s\" (call %llu)\n", in, mark,
                strsignal(WTERMSIG(status)), (unsigned long long)out->calls);
    else if (out->doing)
        fprintf(to, "broken: %s%s called exit() (call %llu)\n", in, mark,
                (unsigned long long)out->calls);
    return late || WIFSIGNALED(status) || out->doing;
}

bool hd_verdict_print(const struct hd_policy_choice *c, const char *file, FILE *to)
{
    struct hd_contract *out =
        mmap(NULL, sizeof *out, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const char *slip = hd_contract_tables(c->policy);
    bool late = false, good;

    if (out == MAP_FAILED)
        hd_arena_exhausted(sizeof *out);
    fprintf(to, "%s%s%s%s\n", c->resolved, file ? " (" : "", file ? file : "", file ? ")" : "");
    fprintf(to, "  %-52s %s%s\n", "its tables are whole", slip ? "broken: " : "ok",
            slip ? slip : "");
    good = !slip;
    if (file)
        good = look_at_file(file, to) && good;
    out->doing = "";
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        fprintf(stderr, "heddle: cannot start a process: %s\n", strerror(errno));
        exit(HD_EXIT_USER);
    }
    if (!pid)
        try(out, c);
    int status = watch(pid, out, &late);
    fprintf(to, "  %-52s ", "every call returns");
    bool cut = put_end(out, status, late, to);
    if (!cut)
        fprintf(to, "ok\n");
    for (enum hd_contract_rule i = 0; i < HD_N_CONTRACT; i++) {
        fprintf(to, "  %-52s ", hd_contract_title(i));
        if (out->broken[i])
            fprintf(to, "broken: %s; %s\n", out->broken[i], out->where[i]);
        else
            fprintf(to, "%s\n", cut ? "not known: the trial ended early" : "ok");
        good = good && !out->broken[i];
    }
    munmap(out, sizeof *out);
    return good && !cut;
}
