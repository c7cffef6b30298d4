// fields.h - read, check, default and print structs that a struct hd_field table describes.
#ifndef HEDDLE_BASE_FIELDS_H
#define HEDDLE_BASE_FIELDS_H

#include "base/diag.h"
#include "heddle/field.h"

#include <stdbool.h>

// Fill `into` with every row's default. A default that does not parse is a bug.
void hd_fields_defaults(const struct hd_field *table, void *into);
#define HD_FIELDS_MAX 64 // rows of a table of a plug-in
// Describes in `why` what is wrong with a plug-in's table for a struct of this size. `counters`:
// rows are read-only, need no default and are all 64 bits wide. NULL: it can be used.
const char *hd_fields_wrong(const struct hd_field *table, size_t struct_bytes, bool counters,
                            char *why, size_t bytes);
// Set one field by name. On an unknown name or bad value adds a diagnostic at file:line and
// returns false. `what` names the owner in messages ("policy gto", "[sm]").
bool hd_fields_set(const struct hd_field *table, void *into, const char *what, const char *name,
                   const char *value, struct hd_diag *d, const char *file, uint32_t line);
const struct hd_field *hd_fields_find(const struct hd_field *table, const char *name);
// The value as text that hd_fields_set would read back. Returns buf.
char *hd_fields_text(const struct hd_field *f, const void *from, char *buf, size_t bytes);

#endif
