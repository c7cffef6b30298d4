// folder.h - the folder of a study whose runs are shared out among processes, on any hosts that see
// the folder (docs/cluster.md).
//
//   plan.json            the command and its runs (studyplan.h)
//   shards/3-of-16.db    the results of share 3 of 16; only one process at a time uses it
//   shards/3-of-16.lock  held by that process, with its host, its number and how far it is
//   results.db           what was merged from the shares; row i is run i of the plan
//   lock                 held by the process that plans, submits or merges
//   slurm, logs/         the jobs of the last submission and what they printed (slurm.h)
//
// Locks are those of fcntl: the system releases them when a process ends, however it ends. A
// process never opens the database of a share while another holds its lock, because SQLite's files
// should not be shared over a network file system.
#ifndef HEDDLE_STUDY_FOLDER_H
#define HEDDLE_STUDY_FOLDER_H

#include "study/studyplan.h"

struct hd_folder {
    struct hd_arena *arena;
    const char *path; // absolute
    const char *plan, *results, *lock;
};

// Finds the folder or, if `make`, makes it. False with a diagnostic if it is none, or if it has no
// plan and was not to be made.
bool hd_folder_open(struct hd_folder *f, struct hd_arena *a, const char *path, bool make,
                    struct hd_diag *d);
const char *hd_folder_file(const struct hd_folder *f, const char *name);
bool hd_folder_read(const struct hd_folder *f, struct hd_studyplan *out, struct hd_diag *d);
// Writes the plan unless the file holds the same bytes.
bool hd_folder_write(const struct hd_folder *f, const struct hd_studyplan *p, struct hd_diag *d);

const char *hd_folder_shard(const struct hd_folder *f, unsigned share, unsigned shares,
                            const char *suffix); // "db", "lock"

// Takes the lock for the rest of the process, waiting for `patience` seconds. -1 with a diagnostic;
// `what` is what the holder does: "plans or merges it".
int hd_folder_take(const char *path, const char *what, unsigned patience, struct hd_diag *d);
// For the holder: shows how many of its runs are done.
void hd_folder_note(int fd, unsigned done, unsigned of);

struct hd_folder_shard {
    unsigned share, shares;
    const char *path;
    bool running;
    char holder[128];  // its host and process, if it is running
    unsigned done, of; // as far as it is known: of the running process, else the rows of the file
};

enum hd_folder_state { HD_FOLDER_MISSING, HD_FOLDER_ENDED, HD_FOLDER_STORED };

struct hd_folder_counts {
    unsigned stored;  // runs with a result
    unsigned ended;   // runs that ended without one, as when memory ran out: they are tried again
    unsigned missing; // neither
    struct hd_folder_shard *shards; // in their order
    size_t n_shards, cap;
    bool running; // any of them
};

// Counts the plan's runs in results.db and in the databases of shares. Sets `stored` of the plan's
// runs to what results.db has. Files that cannot be read are reported and not counted: then it
// returns false.
bool hd_folder_count(const struct hd_folder *f, struct hd_studyplan *p, unsigned patience,
                     struct hd_folder_counts *out, struct hd_diag *d);
// Merges the shares that are not running into results.db. False with a diagnostic; what could be
// merged is merged. Sets `checked` of the plan's runs that were merged now.
bool hd_folder_merge(const struct hd_folder *f, struct hd_studyplan *p, unsigned patience,
                     struct hd_diag *d);

#endif
