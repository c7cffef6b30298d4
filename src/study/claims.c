// claims.c - processes that share a database, their beats, and the runs that they have claimed. See
// claims.h.
#include "study/claims.h"

#include "base/hostclock.h"
#include "study/database_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Seconds without a beat after which a process counts as dead, in addition to those that it may
// wait for a lock; and seconds between two beats.
#define LEASE 60
#define BEAT 12

struct seen { // a worker of another host, timed by this process's clock
    int64_t id, beat;
    double since; // when the beat was first seen
};

struct hd_claims {
    struct hd_arena *arena;
    struct hd_database *db;
    const char *host; // this host since it was started, and this name space of processes
    int64_t started;  // this process
    int64_t worker;   // 0: not registered yet
    double beaten;
    struct seen *seen;
    size_t n_seen, cap;
};

// Reads a file in /proc, which has no size.
static const char *first_line(struct hd_arena *a, const char *path)
{
    char line[1024] = "";
    FILE *f = fopen(path, "re");

    if (f && !fgets(line, sizeof line, f))
        line[0] = '\0';
    if (f)
        fclose(f);
    line[strcspn(line, "\n")] = '\0';
    return hd_arena_strdup(a, line);
}

// The clock tick after the system's start in which the process began: a process number that is used
// again has another time. 0: there is no such process.
static int64_t start_of(struct hd_arena *a, int64_t pid)
{
    const char *stat = first_line(a, hd_arena_printf(a, "/proc/%" PRId64 "/stat", pid));
    const char *p = strrchr(stat, ')'); // its name may contain anything

    for (int i = 0; p && i < 20; i++)
        p = strchr(p + 1, ' ');
    return p ? strtoll(p, NULL, 10) : 0;
}

struct hd_claims *hd_claims_new(struct hd_arena *a, struct hd_database *db)
{
    struct hd_claims *c = HD_NEW(a, hd_claims);
    char name[65] = "", space[64] = "";

    gethostname(name, sizeof name - 1);
    if (readlink("/proc/self/ns/pid", space, sizeof space - 1) < 0)
        space[0] = '\0';
    *c = (struct hd_claims){.arena = a, .db = db};
    c->host = hd_arena_printf(a, "%s %s %s", name, first_line(a, "/proc/sys/kernel/random/boot_id"),
                              space);
    c->started = start_of(a, getpid());
    return c;
}

// Executes one statement with up to two values; stores the numbers of its first row in out[0] and
// out[1]. Returns SQLITE_ROW, SQLITE_DONE or an error.
static int ask(struct hd_claims *c, const char *sql, const char *key, int64_t n, int64_t out[2])
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(c->db->sqlite, sql, -1, &s, NULL);

    if (result == SQLITE_OK) {
        if (strstr(sql, "?1"))
            sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
        if (strstr(sql, "?2"))
            sqlite3_bind_int64(s, 2, n);
        result = sqlite3_step(s);
        for (int i = 0; result == SQLITE_ROW && out && i < 2 && i < sqlite3_column_count(s); i++)
            out[i] = sqlite3_column_int64(s, i);
    }
    sqlite3_finalize(s);
    return result;
}

struct worker {
    int64_t id, pid, started, beat;
    double lease;
    bool here; // on this host
};

// Finds the process that has claimed it. SQLITE_DONE means that none has.
static int owner_of(struct hd_claims *c, const char *key, struct worker *w)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(
        c->db->sqlite,
        "SELECT claim.worker, worker.pid, worker.started, worker.beat, worker.lease, "
        "worker.host IS ?2 FROM claim LEFT JOIN worker ON worker.id = claim.worker "
        "WHERE claim.key = ?1",
        -1, &s, NULL);

    if (result == SQLITE_OK) {
        sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC);
        sqlite3_bind_text(s, 2, c->host, -1, SQLITE_STATIC);
        result = sqlite3_step(s);
    }
    if (result == SQLITE_ROW)
        *w = (struct worker){.id = sqlite3_column_int64(s, 0),
                             .pid = sqlite3_column_int64(s, 1),
                             .started = sqlite3_column_int64(s, 2),
                             .beat = sqlite3_column_int64(s, 3),
                             .lease = sqlite3_column_double(s, 4),
                             .here = sqlite3_column_int(s, 5)};
    sqlite3_finalize(s);
    return result;
}

// Whether there was no beat for the time of its lease, by this process's clock.
static bool silent(struct hd_claims *c, const struct worker *w)
{
    double now = hd_hostclock_now();
    struct seen *at = NULL;

    for (size_t i = 0; i < c->n_seen && !at; i++)
        if (c->seen[i].id == w->id)
            at = &c->seen[i];
    if (!at) {
        at = HD_PUSH(c->arena, c->seen, c->n_seen, c->cap);
        *at = (struct seen){w->id, w->beat, now};
    }
    if (at->beat != w->beat) {
        at->beat = w->beat;
        at->since = now;
    }
    return now - at->since > w->lease;
}

static bool dead(struct hd_claims *c, const struct worker *w)
{
    if (w->id == c->worker)
        return false;
    if (!w->pid) // a claim without its worker
        return true;
    if (!w->here)
        return silent(c, w);
    struct hd_arena *own = hd_arena_new();
    bool gone = (kill((pid_t)w->pid, 0) && errno == ESRCH) || start_of(own, w->pid) != w->started;
    hd_arena_free(own);
    return gone;
}

bool hd_claims_begin(struct hd_claims *c, struct hd_diag *d)
{
    return hd_database_do(c->db, "BEGIN IMMEDIATE", d);
}

bool hd_claims_commit(struct hd_claims *c, struct hd_diag *d)
{
    return sqlite3_get_autocommit(c->db->sqlite) || hd_database_do(c->db, "COMMIT", d);
}

static int enlist(struct hd_claims *c)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(
        c->db->sqlite, "INSERT INTO worker(host, pid, started, lease, beat) VALUES(?, ?, ?, ?, 0)",
        -1, &s, NULL);

    if (result == SQLITE_OK) {
        sqlite3_bind_text(s, 1, c->host, -1, SQLITE_STATIC);
        sqlite3_bind_int64(s, 2, getpid());
        sqlite3_bind_int64(s, 3, c->started);
        sqlite3_bind_double(s, 4, LEASE + (double)c->db->patience);
        result = sqlite3_step(s);
    }
    sqlite3_finalize(s);
    if (result == SQLITE_DONE) {
        c->worker = sqlite3_last_insert_rowid(c->db->sqlite);
        c->beaten = hd_hostclock_now();
    }
    return result;
}

enum hd_claim hd_claims_take(struct hd_claims *c, const char *key, struct hd_diag *d)
{
    struct worker w;
    int result = owner_of(c, key, &w);

    if (result == SQLITE_ROW && w.id == c->worker)
        return HD_CLAIM_MINE;
    if (result == SQLITE_ROW && !dead(c, &w))
        return HD_CLAIM_OTHERS;
    if (result == SQLITE_ROW) { // everything that it had claimed is free again
        result = ask(c, "DELETE FROM claim WHERE worker = ?2", NULL, w.id, NULL);
        if (result == SQLITE_DONE)
            result = ask(c, "DELETE FROM worker WHERE id = ?2", NULL, w.id, NULL);
    }
    if (result == SQLITE_DONE && !c->worker)
        result = enlist(c);
    if (result == SQLITE_DONE)
        result = ask(c, "INSERT INTO claim(key, worker) VALUES(?1, ?2)", key, c->worker, NULL);
    if (result == SQLITE_DONE)
        return HD_CLAIM_MINE;
    hd_database_refuse(c->db, result, "write", d);
    return HD_CLAIM_ERROR;
}

bool hd_claims_held(struct hd_claims *c, const char *key)
{
    struct worker w;

    return owner_of(c, key, &w) == SQLITE_ROW && w.id != c->worker && !dead(c, &w);
}

void hd_claims_beat(struct hd_claims *c)
{
    double now = hd_hostclock_now();

    if (!c->worker || now - c->beaten < BEAT)
        return;
    c->beaten = now; // even if it fails: the next one will succeed
    int result = ask(c, "UPDATE worker SET beat = beat + 1 WHERE id = ?2", NULL, c->worker, NULL);
    // Another process took this one for dead. Its present runs may be done twice; its next claims
    // are valid.
    if (result == SQLITE_DONE && !sqlite3_changes(c->db->sqlite))
        c->worker = 0;
}

void hd_claims_end(struct hd_claims *c)
{
    struct hd_diag d = {0};

    if (!c || !c->worker || !hd_claims_begin(c, &d))
        return;
    ask(c, "DELETE FROM claim WHERE worker = ?2", NULL, c->worker, NULL);
    ask(c, "DELETE FROM worker WHERE id = ?2", NULL, c->worker, NULL);
    c->worker = 0;
    hd_claims_commit(c, &d);
}
