// names.c - one hash table for all names of a module; the key is scope, kind and text.
//
// A register range is one entry under its prefix, so %r12 is looked up by trying every split of
// its trailing digits: prefix "%r" and number 12, prefix "%r1" and number 2.
#include "ptx/names.h"

#include "base/bug.h"

#include <string.h>

#define NEAREST_MAX 4096 // names that are searched for "did you mean"

void hd_names_init(struct hd_names *t, struct hd_arena *a)
{
    memset(t, 0, sizeof *t);
    t->arena = a;
    t->n_slots = 256;
    t->slots = HD_ARRAY(a, uint32_t, t->n_slots);
    *HD_PUSH(a, t->parents, t->n_scopes, t->scope_cap) = 0;
}

uint32_t hd_names_open(struct hd_names *t, uint32_t parent)
{
    *HD_PUSH(t->arena, t->parents, t->n_scopes, t->scope_cap) = parent;
    return t->n_scopes - 1;
}

static uint32_t hash(uint32_t scope, unsigned kind, struct hd_slice s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ ((uint64_t)scope << 8 | kind);

    h *= UINT64_C(0x100000001b3);
    for (uint32_t i = 0; i < s.n; i++)
        h = (h ^ (unsigned char)s.s[i]) * UINT64_C(0x100000001b3);
    return (uint32_t)(h ^ h >> 32);
}

static uint32_t *slot_of(const struct hd_names *t, uint32_t scope, unsigned kind, struct hd_slice s)
{
    uint32_t i = hash(scope, kind, s) & (t->n_slots - 1);

    for (; t->slots[i]; i = (i + 1) & (t->n_slots - 1)) {
        const struct hd_name *n = &t->list[t->slots[i] - 1];
        if (n->scope == scope && n->kind == kind && n->text.n == s.n &&
            !memcmp(n->text.s, s.s, s.n))
            break;
    }
    return &t->slots[i];
}

static void grow(struct hd_names *t)
{
    t->n_slots *= 2;
    t->slots = HD_ARRAY(t->arena, uint32_t, t->n_slots);
    for (uint32_t i = 0; i < t->n; i++)
        *slot_of(t, t->list[i].scope, t->list[i].kind, t->list[i].text) = i + 1;
}

const struct hd_name *hd_names_add(struct hd_names *t, const struct hd_name *name)
{
    uint32_t *slot = slot_of(t, name->scope, name->kind, name->text);

    if (*slot)
        return &t->list[*slot - 1];
    *HD_PUSH(t->arena, t->list, t->n, t->cap) = *name;
    *slot = t->n;
    if (t->n * 2 > t->n_slots)
        grow(t);
    return NULL;
}

const struct hd_name *hd_names_find(const struct hd_names *t, uint32_t scope,
                                    enum hd_name_kind kind, struct hd_slice text)
{
    for (;; scope = t->parents[scope]) {
        uint32_t i = *slot_of(t, scope, kind, text);
        if (i)
            return &t->list[i - 1];
        if (scope == 0)
            return NULL;
    }
}

const struct hd_name *hd_names_range(const struct hd_names *t, uint32_t scope, struct hd_slice text,
                                     bool beyond, uint32_t *number)
{
    uint64_t value = 0, place = 1;

    for (uint32_t n = text.n; n > 1 && text.n - n < 9; n--) {
        char c = text.s[n - 1];
        if (c < '0' || c > '9')
            break;
        value += (uint64_t)(c - '0') * place;
        place *= 10;
        if (c == '0' && n != text.n)
            continue; // %r01 is not a register of %r<n>
        uint32_t i = *slot_of(t, scope, HD_NAME_RANGE, (struct hd_slice){text.s, n - 1});
        if (i && (beyond || value < t->list[i - 1].value)) {
            *number = (uint32_t)value;
            return &t->list[i - 1];
        }
    }
    return NULL;
}

static bool visible(const struct hd_names *t, uint32_t scope, uint32_t from)
{
    for (; from; from = t->parents[from])
        if (from == scope)
            return true;
    return scope == 0;
}

const char *hd_names_nearest(const struct hd_names *t, uint32_t scope, unsigned kinds,
                             struct hd_slice text)
{
    const char **names = HD_ARRAY(t->arena, const char *, NEAREST_MAX + 1);
    uint32_t n = 0;

    if (text.n > 64)
        return NULL;
    for (uint32_t i = t->n; i-- > 0 && n < NEAREST_MAX;)
        if ((kinds >> t->list[i].kind & 1) && t->list[i].text.n <= 64 &&
            visible(t, t->list[i].scope, scope))
            names[n++] = hd_arena_strndup(t->arena, t->list[i].text.s, t->list[i].text.n);
    return hd_diag_closest(hd_arena_strndup(t->arena, text.s, text.n), names);
}
