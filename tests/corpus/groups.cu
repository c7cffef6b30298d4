// groups.cu - cooperative groups: blocks, tiles of a warp, what lanes that are together do in common.
#include "corpus.h"

#if ON_DEVICE
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#endif

PROGRAM(corpus, 2, 64, 12)
{
    __shared__ int all[64];
    unsigned t = threadIdx.x;
    int v = (int)(draw(1) & 0xffff);

#if ON_DEVICE
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    all[block.thread_rank()] = v;
    block.sync();
    U32(all[63 - t]), U32(block.size()), U32(tile.thread_rank()), U32(tile.meta_group_rank());
    U32(tile.shfl(v, 3)), U32(tile.shfl_xor(v, 5)), U32(tile.ballot(v & 1)), U32(tile.any(v > 60000));
    U32(cg::reduce(tile, v, cg::plus<int>())), U32(cg::reduce(warp, v, cg::greater<int>()));
    int sum = v;
    for (unsigned i = warp.size() / 2; i; i /= 2)
        sum += warp.shfl_down(sum, i);
    U32(warp.shfl(sum, 0));
    unsigned count = 0;
    if (t % 3 == 0) {
        cg::coalesced_group some = cg::coalesced_threads();
        count = some.size() * 100 + some.thread_rank();
    }
    U32(count);
#else
    all[t] = v;
    __syncthreads();
    uint32_t tile = 0xffu << (t & 24);
    U32(all[63 - t]), U32(64), U32(t & 7), U32(t / 8);
    U32(__shfl_sync(tile, v, 3, 8)), U32(__shfl_xor_sync(tile, v, 5, 8)), U32(__ballot_sync(tile, v & 1) >> (t & 24)), U32(__any_sync(tile, v > 60000));
    int sum = 0, most = 0, total = 0;
    for (unsigned i = 0; i < 8; i++)
        sum += all[(t & 56) + i];
    for (unsigned i = 0; i < 32; i++)
        most = max(most, all[(t & 32) + i]), total += all[(t & 32) + i];
    U32(sum), U32(most), U32(total);
    unsigned members = 0, before = 0;
    for (unsigned i = t & 32; i < (t & 32) + 32; i++)
        members += i % 3 == 0, before += i % 3 == 0 && i < t;
    U32(t % 3 ? 0 : members * 100 + before);
#endif
}
