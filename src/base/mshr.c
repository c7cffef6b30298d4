// mshr.c - miss status holding registers. See mshr.h. A handful of entries: linear search is best.
#include "base/mshr.h"

#include "base/bug.h"

#include <string.h>

void hd_mshr_init(struct hd_mshr *m, struct hd_arena *a, uint32_t entries, uint32_t merges)
{
    *m = (struct hd_mshr){.entries = HD_ARRAY(a, struct hd_mshr_entry, entries),
                          .merged = HD_ARRAY(a, uint32_t, (size_t)entries * merges),
                          .ready = HD_ARRAY(a, uint16_t, entries),
                          .n_entries = entries,
                          .max_merge = merges};
}

int hd_mshr_find(const struct hd_mshr *m, uint64_t line)
{
    for (uint32_t i = 0, left = m->n_used; left; i++) {
        if (!m->entries[i].used)
            continue;
        if (m->entries[i].line == line)
            return (int)i;
        left--;
    }
    return -1;
}

bool hd_mshr_room(const struct hd_mshr *m, int found)
{
    const struct hd_mshr_entry *e = &m->entries[found < 0 ? 0 : found];

    return found < 0 ? m->n_used < m->n_entries : (uint32_t)e->n - e->next < m->max_merge;
}

void hd_mshr_add(struct hd_mshr *m, int found, uint64_t line, uint32_t token)
{
    uint32_t i = (uint32_t)found;
    struct hd_mshr_entry *e;

    HD_BUG_IF(!hd_mshr_room(m, found), "MSHR of %u entries overfull", m->n_entries);
    if (found < 0) {
        for (i = 0; m->entries[i].used; i++)
            ;
        m->entries[i] = (struct hd_mshr_entry){.line = line, .used = true};
        m->n_used++;
    }
    e = &m->entries[i];
    if (e->n == m->max_merge) { // an entry being emptied takes more: close up
        uint32_t *tokens = &m->merged[i * m->max_merge];
        memmove(tokens, tokens + e->next, ((uint32_t)e->n - e->next) * sizeof *tokens);
        e->n = (uint16_t)(e->n - e->next);
        e->next = 0;
    }
    m->merged[i * m->max_merge + e->n++] = token;
}

void hd_mshr_fill(struct hd_mshr *m, uint64_t line)
{
    int i = hd_mshr_find(m, line);

    HD_BUG_IF(i < 0 || m->entries[i].ready, "fill of line 0x%llx that nobody waits for",
              (unsigned long long)line);
    m->entries[i].ready = true;
    m->ready[(m->ready_head + m->ready_n++) % m->n_entries] = (uint16_t)i;
}

bool hd_mshr_pending(const struct hd_mshr *m)
{
    return m->ready_n != 0;
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
        e->used = e->ready = false;
        m->n_used--;
        m->ready_n--;
        m->ready_head = m->ready_head + 1 == m->n_entries ? 0 : m->ready_head + 1;
    }
    return true;
}
