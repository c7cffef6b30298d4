// json.h - functions that all JSON output needs, in addition to jansson.
#ifndef HEDDLE_PRESENT_JSON_H
#define HEDDLE_PRESENT_JSON_H

#include "present/out.h"

#include <jansson.h>

void hd_json_put(json_t *object, const char *key, json_t *value); // takes the value
json_t *hd_json_count(uint64_t n);
json_t *hd_json_count_if(bool there, uint64_t n); // null if not
json_t *hd_json_text(const char *s);              // null for NULL; bytes that are no UTF-8 become ?
int64_t hd_json_integer(const json_t *object, const char *key); // -1 if there is none
double hd_json_number(const json_t *object, const char *key);   // NAN if there is none
void hd_json_add(json_t *json, struct hd_out *out);             // on one line. Takes `json`.
void hd_json_add_sorted(json_t *json, struct hd_out *out);      // the same, keys in their order
// Ends in a newline. Takes `json`.
void hd_json_write(json_t *json, struct hd_out *out);

#endif
