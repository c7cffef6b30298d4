// json.c - see json.h.
#include "present/json.h"

#include "base/bug.h"

#include <math.h>
#include <string.h>

void hd_json_put(json_t *object, const char *key, json_t *value)
{
    HD_BUG_IF(json_object_set_new(object, key, value), "JSON value of %s", key);
}

json_t *hd_json_count(uint64_t n)
{
    return json_integer((json_int_t)n);
}

json_t *hd_json_count_if(bool there, uint64_t n)
{
    return there ? hd_json_count(n) : json_null();
}

json_t *hd_json_text(const char *s)
{
    json_t *text;

    if (!s)
        return json_null();
    text = json_string(s);
    if (!text) { // a file of the user may contain any bytes
        struct hd_arena *a = hd_arena_new();
        char *plain = hd_arena_strdup(a, s);
        for (char *p = plain; *p; p++)
            *p = (char)((unsigned char)*p < 0x80 ? *p : '?');
        text = json_string(plain);
        hd_arena_free(a);
    }
    return text;
}

static int to_out(const char *text, size_t bytes, void *out)
{
    hd_out_add(out, text, bytes);
    return 0;
}

void hd_json_add(json_t *json, struct hd_out *out)
{
    json_dump_callback(json, to_out, out, JSON_ENCODE_ANY | JSON_COMPACT);
    json_decref(json);
}

void hd_json_add_sorted(json_t *json, struct hd_out *out)
{
    json_dump_callback(json, to_out, out, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(json);
}

void hd_json_write(json_t *json, struct hd_out *out)
{
    json_dump_callback(json, to_out, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    hd_out_add(out, "\n", 1);
    json_decref(json);
}

double hd_json_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

int64_t hd_json_integer(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_integer(value) ? (int64_t)json_integer_value(value) : -1;
}
