// Where does a piece of every query occur in a reference? One thread per query goes down the reference's
// suffix tree (McCreight 1976, Ukkonen 1995) with the letters of the query. For the next start it
// follows the suffix link of the node it came from and skips the letters it knows, so that it never
// reads a letter of the query twice (matching statistics of Chang and Lawler 1994). Tree and reference
// come through textures, queries and results are in memory.

#define ROOT 1 // node 0 is none

struct match { // of the letters from one start on; length 0: no long one
    int at, length;
};

// Child for a letter: textures hold those for A, C, G and T side by side.
__device__ static inline int child(uint4 of, char letter)
{
    switch (letter) {
    case 'A':
        return of.x;
    case 'C':
        return of.y;
    case 'G':
        return of.z;
    case 'T':
        return of.w;
    default:
        return 0;
    }
}

// nodes: first and last letter of the edge to the node, suffix link
extern "C" __global__ void mummer(cudaTextureObject_t children, cudaTextureObject_t nodes,
                                  cudaTextureObject_t reference, const char *queries,
                                  const int *begins, const int *lengths, struct match *matches,
                                  int number, int shortest)
{
    int query = blockIdx.x * blockDim.x + threadIdx.x;

    if (query >= number)
        return;
    const char *letters = queries + begins[query];
    int starts = lengths[query] - shortest + 1; // of matches that are long enough
    struct match *match = matches + begins[query] - query * shortest;
    int node = ROOT;  // where the walk begins
    int depth = 0;    // letters between the root and this node
    int known = 0;    // letters below it that are there for sure

    for (int start = 0; start < starts; start++, letters++, match++) {
        int above = node, at = 0, along = 0;
        char letter = letters[depth];
        while (letter) {
            int next = child(tex1Dfetch<uint4>(children, node), letter);
            above = node;
            along = 0;
            if (!next)
                break;
            uint4 edge = tex1Dfetch<uint4>(nodes, next);
            int length = edge.y - edge.x + 1;
            node = next;
            // The first letter is that of the edge; known ones need no look.
            along = known > 1 ? known : 1;
            if (along > length)
                along = length;
            known = known > length ? known - length : 0;
            at = edge.x + along;
            letter = letters[depth + along];
            while (along < length && letter &&
                   letter == tex1Dfetch<unsigned char>(reference, at)) {
                along++;
                at++;
                letter = letters[depth + along];
            }
            if (along < length)
                break;
            depth += length;
            along = 0;
        }
        // `along` letters of the edge to `node`, or none below it.
        if (depth + along >= shortest) {
            if (along == 0)
                at = tex1Dfetch<uint4>(nodes, node).y + 1;
            match->at = at - depth - along;
            match->length = depth + along;
        }
        // One letter less in front.
        if (along == 0)
            above = node;
        if (above == ROOT) {
            node = ROOT;
            known = along > 0 ? along - 1 : 0;
            depth = 0;
        } else {
            node = tex1Dfetch<uint4>(nodes, above).z;
            known = along;
            depth--;
        }
    }
}
