// folder.c - see folder.h.
#include "study/folder.h"

#include "base/file.h"
#include "base/hostclock.h"
#include "study/databasemerge.h"
#include "study/outcome.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *hd_folder_file(const struct hd_folder *f, const char *name)
{
    return hd_arena_printf(f->arena, "%s/%s", f->path, name);
}

const char *hd_folder_shard(const struct hd_folder *f, unsigned share, unsigned shares,
                            const char *suffix)
{
    return hd_arena_printf(f->arena, "%s/shards/%u-of-%u.%s", f->path, share, shares, suffix);
}

static bool is_folder(const char *path)
{
    struct stat is;

    return !stat(path, &is) && S_ISDIR(is.st_mode);
}

bool hd_folder_open(struct hd_folder *f, struct hd_arena *a, const char *path, bool make,
                    struct hd_diag *d)
{
    char real[PATH_MAX], why[HD_FILE_WHY];

    *f = (struct hd_folder){.arena = a};
    if (make && (!hd_file_folders(a, hd_arena_printf(a, "%s/shards", path), why) ||
                 !hd_file_folders(a, hd_arena_printf(a, "%s/logs", path), why))) {
        hd_diag_add(d, NULL, 0, 0, "cannot make the folder of the study: %.400s", why);
        return false;
    }
    if (!realpath(path, real) || !is_folder(real)) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s: %s", path,
                                 strerror(realpath(path, real) ? ENOTDIR : errno)),
                     "expected the folder of a study, as 'heddle compare ... --study FOLDER' makes "
                     "it");
        return false;
    }
    f->path = hd_arena_strdup(a, real);
    f->plan = hd_folder_file(f, "plan.json");
    f->results = hd_folder_file(f, "results.db");
    f->lock = hd_folder_file(f, "lock");
    if (make || !access(f->plan, F_OK))
        return true;
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s holds no study: it has no plan.json", path),
                 "'heddle compare ... --study FOLDER' plans one");
    return false;
}

bool hd_folder_read(const struct hd_folder *f, struct hd_studyplan *out, struct hd_diag *d)
{
    char why[HD_FILE_WHY];
    size_t bytes;
    const char *text = (const char *)hd_file_read(f->arena, f->plan, &bytes, why);

    if (text)
        return hd_studyplan_parse(f->arena, f->plan, text, bytes, out, d);
    hd_diag_add(d, NULL, 0, 0, "cannot read the plan of the study: %s", why);
    return false;
}

bool hd_folder_write(const struct hd_folder *f, const struct hd_studyplan *p, struct hd_diag *d)
{
    struct hd_out text = {.arena = f->arena};
    char why[HD_FILE_WHY];
    size_t bytes;
    const uint8_t *old = hd_file_read(f->arena, f->plan, &bytes, why);

    hd_studyplan_write(p, f->arena, &text);
    if (old && bytes == text.bytes && !memcmp(old, text.text, bytes))
        return true;
    if (hd_file_write(f->plan, text.text, text.bytes, why))
        return true;
    hd_diag_add(d, NULL, 0, 0, "cannot write the plan of the study: %s", why);
    return false;
}

// What the holder has written, for a message. "": nothing yet.
static void read_holder(const char *path, char holder[128], unsigned *done, unsigned *of)
{
    struct hd_arena *a = hd_arena_new();
    char why[HD_FILE_WHY], *end;
    size_t bytes;
    const char *text = (const char *)hd_file_read(a, path, &bytes, why);
    const char *line = text ? strchr(text, '\n') : NULL;

    snprintf(holder, 128, "%.*s", line ? (int)(line - text) : 0, text ? text : "");
    *done = *of = 0;
    if (line) {
        *done = (unsigned)strtoul(line + 1, &end, 10);
        *of = (unsigned)strtoul(end, &end, 10);
    }
    hd_arena_free(a);
}

static bool set_lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    return !fcntl(fd, F_SETLK, &whole);
}

static void write_holder(int fd)
{
    char host[65] = "", line[128];

    gethostname(host, sizeof host - 1);
    int n = snprintf(line, sizeof line, "process %ld on %s\n", (long)getpid(), host);
    if (ftruncate(fd, 0) || pwrite(fd, line, (size_t)n, 0) != n)
        return; // it is a message only
}

int hd_folder_take(const char *path, const char *what, unsigned patience, struct hd_diag *d)
{
    const struct timespec nap = {.tv_nsec = 100 * 1000 * 1000};
    double since = hd_hostclock_now();
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool mine = fd >= 0 && set_lock(fd);
    char holder[128];
    unsigned done, of;

    while (fd >= 0 && !mine && (errno == EAGAIN || errno == EACCES) &&
           hd_hostclock_now() - since < patience) {
        nanosleep(&nap, NULL);
        mine = set_lock(fd);
    }
    if (mine) {
        write_holder(fd);
        return fd;
    }
    int why = errno;
    if (fd >= 0 && (why == EAGAIN || why == EACCES)) {
        read_holder(path, holder, &done, &of);
        hd_diag_hint(
            hd_diag_add(d, path, 0, 0, "%s %s", *holder ? holder : "another process", what),
            "wait until it is done, or wait longer: --db-wait");
    } else {
        hd_diag_hint(hd_diag_add(d, path, 0, 0, "cannot take this lock: %s", strerror(why)),
                     "a study needs a folder on a file system with locks that it may write to");
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

void hd_folder_note(int fd, unsigned done, unsigned of)
{
    char text[256];
    ssize_t n = pread(fd, text, sizeof text - 64, 0);

    text[n > 0 ? n : 0] = '\0';
    size_t first = strcspn(text, "\n");
    int m = snprintf(text, sizeof text, "%10u %10u\n", done, of);
    if (pwrite(fd, text, (size_t)m, (off_t)first + 1) != m)
        return; // it is a message only
}

// Whether a process holds the lock. Nobody can, if there is no such file.
static bool is_held(const char *path)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool held = fd >= 0 && !fcntl(fd, F_GETLK, &whole) && whole.l_type != F_UNLCK;

    if (fd >= 0)
        close(fd);
    return held;
}

// "3-of-16.db"; false: another file.
static bool read_name(const char *name, unsigned *share, unsigned *shares)
{
    char *end;
    unsigned long i = strtoul(name, &end, 10), n = 0;

    if (*name < '1' || *name > '9' || strncmp(end, "-of-", 4) != 0 || end[4] < '1' || end[4] > '9')
        return false;
    n = strtoul(end + 4, &end, 10);
    *share = (unsigned)i;
    *shares = (unsigned)n;
    return !strcmp(end, ".db") && i <= n && n <= UINT_MAX;
}

static int by_share(const void *a, const void *b)
{
    const struct hd_folder_shard *x = a, *y = b;

    if (x->shares != y->shares)
        return x->shares < y->shares ? -1 : 1;
    return (x->share > y->share) - (x->share < y->share);
}

static bool find_shards(const struct hd_folder *f, struct hd_folder_counts *c, struct hd_diag *d)
{
    const char *path = hd_folder_file(f, "shards");
    DIR *dir = opendir(path);

    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct hd_folder_shard s = {0};
        if (!read_name(e->d_name, &s.share, &s.shares))
            continue;
        s.path = hd_folder_shard(f, s.share, s.shares, "db");
        const char *lock = hd_folder_shard(f, s.share, s.shares, "lock");
        s.running = is_held(lock);
        c->running = c->running || s.running;
        if (s.running)
            read_holder(lock, s.holder, &s.done, &s.of);
        *HD_PUSH(f->arena, c->shards, c->n_shards, c->cap) = s;
    }
    int why = errno;
    if (dir)
        closedir(dir);
    if (!dir && why != ENOENT)
        hd_diag_add(d, path, 0, 0, "cannot list the shares of the study: %s", strerror(why));
    if (c->n_shards)
        qsort(c->shards, c->n_shards, sizeof *c->shards, by_share);
    return dir || why == ENOENT;
}

struct lookup { // the plan's runs by key
    const struct hd_studyplan_run **sorted;
    const struct hd_studyplan *plan;
    enum hd_folder_state *states;
    unsigned rows;
};

static int by_key(const void *a, const void *b)
{
    const struct hd_studyplan_run *const *x = a, *const *y = b;

    return strcmp((*x)->key, (*y)->key);
}

static void see(void *ctx, const char *key, bool any_json, int64_t exit_status)
{
    struct lookup *l = ctx;
    struct hd_studyplan_run wanted = {.key = key};
    const struct hd_studyplan_run *sought = &wanted, **found;

    l->rows++;
    found = l->plan->n_runs
                ? bsearch(&sought, l->sorted, l->plan->n_runs, sizeof *l->sorted, by_key)
                : NULL;
    if (!found)
        return;
    enum hd_folder_state now =
        hd_outcome_lasting(any_json, exit_status) ? HD_FOLDER_STORED : HD_FOLDER_ENDED;
    enum hd_folder_state *at = &l->states[*found - l->plan->runs];
    *at = now > *at ? now : *at;
}

// A process that was killed may have left a journal, which only a process that may write can use.
static bool see_file(struct lookup *l, const char *path, unsigned patience, struct hd_diag *d)
{
    struct hd_database *db = hd_database_open(path, !access(path, W_OK), patience, d);
    bool good = db && hd_databasemerge_each(db, see, l, d);

    hd_database_close(db);
    return good;
}

bool hd_folder_count(const struct hd_folder *f, struct hd_studyplan *p, unsigned patience,
                     struct hd_folder_counts *out, struct hd_diag *d)
{
    struct lookup l = {.plan = p,
                       .sorted = HD_ARRAY(f->arena, const struct hd_studyplan_run *, p->n_runs + 1),
                       .states = HD_ARRAY(f->arena, enum hd_folder_state, p->n_runs + 1)};
    bool good;

    *out = (struct hd_folder_counts){0};
    for (unsigned i = 0; i < p->n_runs; i++)
        l.sorted[i] = &p->runs[i];
    if (p->n_runs)
        qsort(l.sorted, p->n_runs, sizeof *l.sorted, by_key);
    good = find_shards(f, out, d);
    if (!access(f->results, F_OK))
        good = see_file(&l, f->results, patience, d) && good;
    for (unsigned i = 0; i < p->n_runs; i++)
        p->runs[i].stored = l.states[i] == HD_FOLDER_STORED;
    for (size_t i = 0; i < out->n_shards; i++) {
        struct hd_folder_shard *s = &out->shards[i];
        l.rows = 0;
        if (s->running)
            continue;
        good = see_file(&l, s->path, patience, d) && good;
        s->done = s->of = l.rows;
    }
    for (unsigned i = 0; i < p->n_runs; i++) {
        out->stored += l.states[i] == HD_FOLDER_STORED;
        out->ended += l.states[i] == HD_FOLDER_ENDED;
        out->missing += l.states[i] == HD_FOLDER_MISSING;
    }
    return good;
}

// The file is opened first as any database is, so that it is checked and completed.
static bool merge_one(struct hd_database *into, const char *path, unsigned patience,
                      struct hd_diag *d)
{
    unsigned before = d->n;
    struct hd_database *shard = hd_database_open(path, true, patience, d);
    bool good = shard != NULL;

    hd_database_close(shard);
    good = good && hd_databasemerge_take(into, path, d);
    if (!good && d->n > before)
        hd_diag_hint(&d->entries[d->n - 1],
                     "the other shares are merged; remove this file, and its runs are done again");
    return good;
}

static void note_checked(void *ctx, unsigned i)
{
    struct hd_studyplan *p = ctx;

    p->runs[i].checked = true;
}

bool hd_folder_merge(const struct hd_folder *f, struct hd_studyplan *p, unsigned patience,
                     struct hd_diag *d)
{
    struct hd_folder_counts c = {0};
    const char **keys = HD_ARRAY(f->arena, const char *, p->n_runs + 1);
    bool good = find_shards(f, &c, d);

    for (unsigned i = 0; i < p->n_runs; i++)
        keys[i] = p->runs[i].key;
    if (!good || !c.n_shards)
        return good;
    struct hd_database *into = hd_database_open(f->results, true, patience, d);
    bool begun = into && hd_databasemerge_begin(into, keys, p->n_runs, d);
    good = begun;
    for (size_t i = 0; begun && i < c.n_shards; i++)
        if (!c.shards[i].running)
            good = merge_one(into, c.shards[i].path, patience, d) && good;
    good = good && hd_databasemerge_taken(into, note_checked, p, d);
    hd_database_close(into);
    return good;
}
