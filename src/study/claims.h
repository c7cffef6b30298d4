// claims.h - which process simulates which run, so that studies that share a database do the work
// once.
//
// A process that may write is a row of the table `worker`, and each run that it works on is a row
// of `claim`. Storing the result ends the claim in the same transaction. A process shows that it is
// alive by counting up its `beat`, several times during its `lease`. Its claims end with it,
// however it ends: on the same host the others see that the process no longer exists. Elsewhere
// they see a beat that does not change for the time of the lease, by their own clock, so that no
// two clocks are ever compared. Results do not depend on the process that makes them: if two
// processes work on one run, only time is lost.
#ifndef HEDDLE_STUDY_CLAIMS_H
#define HEDDLE_STUDY_CLAIMS_H

#include "study/database.h"

struct hd_claims;

// Nothing is written before the first claim.
struct hd_claims *hd_claims_new(struct hd_arena *a, struct hd_database *db);
// Between begin and commit no other process writes the file, so what is read there stays valid.
// False with a diagnostic; commit also ends the transaction then.
bool hd_claims_begin(struct hd_claims *c, struct hd_diag *d);
bool hd_claims_commit(struct hd_claims *c, struct hd_diag *d);

enum hd_claim { HD_CLAIM_MINE, HD_CLAIM_OTHERS, HD_CLAIM_ERROR };
// Call it between begin and commit. Claims `key` for this process unless a living process has it.
enum hd_claim hd_claims_take(struct hd_claims *c, const char *key, struct hd_diag *d);
// Whether hd_claims_take would probably return HD_CLAIM_OTHERS. It only reads and needs no
// transaction.
bool hd_claims_held(struct hd_claims *c, const char *key);
// Show that this process is alive, if it is time to. Call it several times a second.
void hd_claims_beat(struct hd_claims *c);
// Gives up all claims. NULL is allowed.
void hd_claims_end(struct hd_claims *c);

#endif
