// configkeys.h - every key of the modelled machine: section, name, type, default, range, meaning.
#ifndef HEDDLE_BASE_CONFIGKEYS_H
#define HEDDLE_BASE_CONFIGKEYS_H

#include "base/diag.h"
#include "heddle/config.h"
#include "heddle/field.h"

struct hd_config_section { // "[name]" of the file; rows describe struct hd_config
    const char *name;
    const struct hd_field *rows;
};
const struct hd_config_section *hd_configkeys_sections(void);         // ends with a NULL name
const struct hd_config_section *hd_configkeys_find(const char *name); // NULL: there is none
// Adds a hint at the key that "section.key", which does not exist, means: by meaning, as in
// sm.registers for sm.regs, or because another section has it. With an empty key, only the section
// is considered. No hint if nothing is known of such a word.
void hd_configkeys_near(struct hd_diag_entry *e, const char *section, const char *key);

#endif
