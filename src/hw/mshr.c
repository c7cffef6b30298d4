// mshr.c - miss status holding registers. See mshr.h.
#include "hw/mshr.h"

#include "base/bug.h"

#include <string.h>

void hd_mshr_init(struct hd_mshr *m, struct hd_arena *a, uint32_t entries, uint32_t merges)
{
    HD_BUG_IF(entries >= HD_MSHR_NIL, "%u miss entries", entries);
    *m = (struct hd_mshr){.entries = HD_ARRAY(a, struct hd_mshr_entry, entries),
                          .merged = HD_ARRAY(a, uint32_t, (size_t)entries * merges),
                          .ready = HD_ARRAY(a, uint16_t, entries),
                          .n_entries = entries,
                          .max_merge = merges};
    for (uint32_t i = 0; i < entries; i++)
        m->entries[i].chain = (uint16_t)(i + 1 < entries ? i + 1 : HD_MSHR_NIL);
    for (unsigned i = 0; i < HD_MSHR_BUCKETS; i++)
        m->buckets[i] = HD_MSHR_NIL;
}

// Lines are 64 or 128 bytes, and neighbours are often in flight together.
static unsigned bucket_of(uint64_t line)
{
    return (unsigned)((line >> 6 ^ line >> 11) % HD_MSHR_BUCKETS);
}

int hd_mshr_find(const struct hd_mshr *m, uint64_t line)
{
    uint16_t i = m->buckets[bucket_of(line)];

    while (i != HD_MSHR_NIL && m->entries[i].line != line)
        i = m->entries[i].chain;
    return i == HD_MSHR_NIL ? -1 : (int)i;
}

static void unlink_entry(struct hd_mshr *m, uint16_t i)
{
    uint16_t *at = &m->buckets[bucket_of(m->entries[i].line)];

    while (*at != i)
        at = &m->entries[*at].chain;
    *at = m->entries[i].chain;
    m->entries[i].chain = m->free;
    m->free = i;
}

bool hd_mshr_room(const struct hd_mshr *m, int found)
{
    const struct hd_mshr_entry *e = &m->entries[found < 0 ? 0 : found];

    return found < 0 ? m->n_used < m->n_entries : (uint32_t)e->n - e->next < m->max_merge;
}

static uint32_t new_entry(struct hd_mshr *m, uint64_t line)
{
    uint16_t *first = &m->buckets[bucket_of(line)], i = m->free;

    m->free = m->entries[i].chain;
    m->entries[i] = (struct hd_mshr_entry){.line = line, .chain = *first};
    *first = i;
    m->n_used++;
    return i;
}

void hd_mshr_expect(struct hd_mshr *m, uint64_t line)
{
    HD_BUG_IF(!hd_mshr_room(m, -1), "MSHR of %u entries overfull", m->n_entries);
    new_entry(m, line);
}

void hd_mshr_add(struct hd_mshr *m, int found, uint64_t line, uint32_t token)
{
    uint32_t i = (uint32_t)found;
    struct hd_mshr_entry *e;

    HD_BUG_IF(!hd_mshr_room(m, found), "MSHR of %u entries overfull", m->n_entries);
    if (found < 0)
        i = new_entry(m, line);
    e = &m->entries[i];
    if (e->n == m->max_merge) { // the entry is being emptied: close the gap
        uint32_t *tokens = &m->merged[i * m->max_merge];
        memmove(tokens, tokens + e->next, ((uint32_t)e->n - e->next) * sizeof *tokens);
        e->n = (uint16_t)(e->n - e->next);
        e->next = 0;
    }
    m->merged[i * m->max_merge + e->n++] = token;
}

bool hd_mshr_part(struct hd_mshr *m, uint64_t line, unsigned all)
{
    int i = hd_mshr_find(m, line);

    HD_BUG_IF(i < 0, "part of line 0x%llx that nobody waits for", (unsigned long long)line);
    return ++m->entries[i].parts == all;
}

bool hd_mshr_fill(struct hd_mshr *m, uint64_t line)
{
    int i = hd_mshr_find(m, line);

    HD_BUG_IF(i < 0 || m->entries[i].ready, "fill of line 0x%llx that nobody waits for",
              (unsigned long long)line);
    if (hd_mshr_unasked(m, i)) {
        unlink_entry(m, (uint16_t)i);
        m->n_used--;
        return false;
    }
    m->entries[i].ready = true;
    m->ready[(m->ready_head + m->ready_n++) % m->n_entries] = (uint16_t)i;
    return true;
}

uint32_t hd_mshr_peek(const struct hd_mshr *m)
{
    uint32_t i = m->ready[m->ready_head];

    HD_DCHECK(m->ready_n);
    return m->merged[i * m->max_merge + m->entries[i].next];
}

bool hd_mshr_next(struct hd_mshr *m, uint32_t *token)
{
    if (!m->ready_n)
        return false;

    uint32_t i = m->ready[m->ready_head];
    struct hd_mshr_entry *e = &m->entries[i];
    *token = m->merged[i * m->max_merge + e->next++];
    if (e->next == e->n) {
        unlink_entry(m, (uint16_t)i);
        m->n_used--;
        m->ready_n--;
        m->ready_head = m->ready_head + 1 == m->n_entries ? 0 : m->ready_head + 1;
    }
    return true;
}
