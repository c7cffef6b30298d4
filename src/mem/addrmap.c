// addrmap.c - the address mapping of GPGPU-Sim 3.2.2 (timing-model 9.1). See addrmap.h.
#include "mem/addrmap.h"

#include "base/bug.h"
#include "mem/polyhash.h"

static struct hd_squeeze squeeze_of(uint64_t mask)
{
    struct hd_squeeze s = {.runs = 0};
    unsigned below = 0; // bits of the mask under this run

    while (mask) {
        unsigned low = (unsigned)__builtin_ctzll(mask);
        uint64_t up = ~(mask >> low);
        unsigned n = up ? (unsigned)__builtin_ctzll(up) : 64;
        uint64_t run = (n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0)) << low;

        HD_BUG_IF(s.runs == HD_ADDRMAP_RUNS, "address mask 0x%llx has too many parts",
                  (unsigned long long)mask);
        s.mask[s.runs] = run;
        s.shift[s.runs++] = (uint8_t)(low - below);
        below += n;
        mask &= ~run;
    }
    return s;
}

static uint64_t squeeze(const struct hd_squeeze *s, uint64_t addr)
{
    uint64_t v = 0;

    for (uint32_t i = 0; i < s->runs; i++)
        v |= (addr & s->mask[i]) >> s->shift[i];
    return v;
}

void hd_addrmap_init(struct hd_addrmap *m, const struct hd_config_dram *c)
{
    uint64_t sub_bits = 0, rest = c->bank_mask;

    for (uint32_t n = 1; n < c->subs; n *= 2) {
        sub_bits |= rest & (0 - rest);
        rest &= rest - 1;
    }
    *m = (struct hd_addrmap){.bank = squeeze_of(c->bank_mask),
                             .row = squeeze_of(c->row_mask),
                             .slice = squeeze_of(~sub_bits),
                             .sub = squeeze_of(sub_bits),
                             .channels = c->channels,
                             .subs = c->subs,
                             .interleave_shift = (uint32_t)__builtin_ctz(c->interleave),
                             .reciprocal = (UINT64_C(1) << 32) / c->channels};
    if (c->indexing == HD_INDEXING_POLYNOMIAL) {
        m->hashed = c->channels * c->subs;
        m->turn_shift = m->interleave_shift + (uint32_t)__builtin_ctz(m->hashed);
    }
}

// Its address inside its channel, and the channel.
static inline uint64_t split(const struct hd_addrmap *m, uint64_t addr, uint32_t *channel)
{
    uint64_t chunk = addr >> m->interleave_shift, turn;
    uint64_t low = addr & ((UINT64_C(1) << m->interleave_shift) - 1);

    if (chunk >> 32) {
        turn = chunk / m->channels;
    } else { // the reciprocal is rounded down: at most one too small
        turn = chunk * m->reciprocal >> 32;
        turn += chunk - turn * m->channels >= m->channels;
    }
    *channel = (uint32_t)(chunk - turn * m->channels);
    return turn << m->interleave_shift | low;
}

static inline uint32_t partition_of(const struct hd_addrmap *m, uint64_t addr, uint32_t channel,
                                    uint32_t bank)
{
    uint32_t partition = channel * m->subs + (bank & (m->subs - 1));

    if (__builtin_expect(m->hashed != 0, 0))
        return hd_polyhash_of(addr >> m->turn_shift, partition, m->hashed);
    return partition;
}

struct hd_dram_place hd_addrmap_find(const struct hd_addrmap *m, uint64_t addr)
{
    uint32_t channel;
    uint64_t inside = split(m, addr, &channel);
    struct hd_dram_place p = {.bank = (uint32_t)squeeze(&m->bank, inside),
                              .row = (uint32_t)squeeze(&m->row, inside),
                              .inside = squeeze(&m->slice, inside)};

    p.partition = partition_of(m, addr, channel, p.bank);
    return p;
}

uint32_t hd_addrmap_partition(const struct hd_addrmap *m, uint64_t addr)
{
    uint32_t channel;
    uint64_t inside = split(m, addr, &channel);

    return partition_of(m, addr, channel, (uint32_t)squeeze(&m->sub, inside));
}

uint64_t hd_addrmap_inside(const struct hd_addrmap *m, uint64_t addr)
{
    uint32_t channel;

    return squeeze(&m->slice, split(m, addr, &channel));
}
