// Edges of a picture: the sums of differences along x and y over the eight neighbours of a pixel
// (Sobel's weights), read through a texture. The texture repeats the picture's edge.

extern "C" __global__ void sobel(cudaTextureObject_t picture, unsigned char *edges, int width,
                                 int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;
    int p[3][3];
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            p[dy][dx] = tex2D<unsigned char>(picture, x + dx - 0.5f, y + dy - 0.5f);
    int along_x = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
    int along_y = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
    edges[y * width + x] = min(abs(along_x) + abs(along_y), 255);
}
