// simmap.h - from the options of a gpgpusim.config to the keys of a machine of heddle's.
//
// The result reproduces the reference or there is none: an option whose value heddle does not
// model is refused, and all that are refused are reported at once. What version 4 has and heddle
// lacks is reported once for each part of the machine, with all options that ask for it.
#ifndef HEDDLE_GPGPUSIM_SIMMAP_H
#define HEDDLE_GPGPUSIM_SIMMAP_H

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
    const struct hd_simoption *shown4; // what shows version 4
    struct hd_config_line *lines;      // the keys that follow, each once
    size_t n_lines, cap_lines;
    struct {
        struct hd_simlackitem *items;
        size_t n, cap;
    } lacks[HD_N_SIMLACKS];
    const char *sched; // policy, as --sched takes it
    const char *net;   // the network's file, NULL: none was read
    bool bad;
};

// False after diagnostics. Warnings do not make it fail.
bool hd_simmap_make(struct hd_arena *a, const struct hd_simfile *file, struct hd_simmap *out,
                    struct hd_diag *d);

// For the functions that read parts (simparts.c, simnet.c):

// The option's value, else its default; "" if the version does not have it.
const char *hd_simmap_value(const struct hd_simmap *m, const struct hd_simoption *o);
const char *hd_simmap_named(const struct hd_simmap *m, const char *name);
// "-name value", with "(default)" if the file does not give it; blanks of the value are single.
const char *hd_simmap_from(const struct hd_simmap *m, const struct hd_simoption *o);
// A key of the machine, "section.key", and the option that it comes from.
__attribute__((format(printf, 4, 5))) void hd_simmap_emit(struct hd_simmap *m,
                                                          const struct hd_simoption *o,
                                                          const char *key, const char *fmt, ...);
// The same with another source than one option; `place` names the line of errors, NULL: none.
void hd_simmap_line(struct hd_simmap *m, const struct hd_simoption *place, const char *key,
                    const char *value, const char *from);
// The option's value is refused; the text follows "-name value: ".
__attribute__((format(printf, 3, 4))) struct hd_diag_entry *
hd_simmap_refuse(struct hd_simmap *m, const struct hd_simoption *o, const char *fmt, ...);
// The option's value needs what heddle lacks.
void hd_simmap_lack(struct hd_simmap *m, const struct hd_simoption *o, enum hd_simlack lack,
                    const char *detail);

#endif
