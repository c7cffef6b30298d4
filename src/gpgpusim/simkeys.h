// simkeys.h - the keys that options of GPGPU-Sim become, and those that are refused, as they are
// found.
#ifndef HEDDLE_GPGPUSIM_SIMKEYS_H
#define HEDDLE_GPGPUSIM_SIMKEYS_H

#include "base/config.h"
#include "gpgpusim/simfile.h"

enum hd_simversion {
    HD_SIM_322,  // 3.2.2 of 2013 and older ones of version 3
    HD_SIM_2014, // version 3 since July 2014: cache strings name a set index function
    HD_SIM_4
};

struct hd_simlackitem { // an option that needs what is missing
    const struct hd_simoption *option;
    const char *detail; // "" or what it is about the value
};

struct hd_simmap {
    struct hd_arena *arena;
    const struct hd_simfile *file;
    struct hd_diag *diag;
    enum hd_simversion version;
    struct hd_config_line *lines; // the keys that follow, each once
    size_t n_lines, cap_lines;
    struct {
        struct hd_simlackitem *items;
        size_t n, cap;
    } lacks[HD_N_SIMLACKS];
    const char *sched;                   // policy, as --sched takes it
    const char *net;                     // the network's file, NULL: none was read
    const struct hd_simoption *shuffles; // the list of version 4 in which SHFL's number is missing
    bool bad;
    bool holes; // keys are missing in `lines`, because the option that gives them is refused
};

// The option's value, else its default; "" if the version does not have it.
const char *hd_simkeys_value(const struct hd_simmap *m, const struct hd_simoption *o);
const char *hd_simkeys_named(const struct hd_simmap *m, const char *name);
// Its number; false after a diagnostic.
bool hd_simkeys_number(struct hd_simmap *m, const char *name, uint32_t *out);
bool hd_simkeys_given(const struct hd_simmap *m, const struct hd_simoption *o);
// Whether the flag or number is 1.
bool hd_simkeys_on(const struct hd_simmap *m, const char *name);
// "-name value", with "(default)" if the file does not give it; blanks of the value are single.
const char *hd_simkeys_from(const struct hd_simmap *m, const struct hd_simoption *o);
// A key of the machine, "section.key", and the option that it comes from.
__attribute__((format(printf, 4, 5))) void hd_simkeys_emit(struct hd_simmap *m,
                                                           const struct hd_simoption *o,
                                                           const char *key, const char *fmt, ...);
// The same with another source than one option; `place` names the line of errors, NULL: none.
void hd_simkeys_line(struct hd_simmap *m, const struct hd_simoption *place, const char *key,
                     const char *value, const char *from);
// The option's value is refused; the text follows "-name value: ".
__attribute__((format(printf, 3, 4))) struct hd_diag_entry *
hd_simkeys_refuse(struct hd_simmap *m, const struct hd_simoption *o, const char *fmt, ...);
// The option's value needs what heddle lacks.
void hd_simkeys_lack(struct hd_simmap *m, const struct hd_simoption *o, enum hd_simlack lack,
                     const char *detail);
// A warning: the machine can be used, but has a property that surprises users. The hint is printed
// as it is.
void hd_simkeys_warn(struct hd_simmap *m, const struct hd_simoption *o, const char *what,
                     const char *hint);

#endif
