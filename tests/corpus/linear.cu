// linear.cu - matrices, FFT, particles, dynamic programming: floats in loops, written without contraction.
#include "corpus.h"

struct complex {
    float re, im;
    __device__ complex(float r, float i) : re(r), im(i) {}
    __device__ complex() {}
    __device__ complex operator+(complex b) const { return complex(__fadd_rn(re, b.re), __fadd_rn(im, b.im)); }
    __device__ complex operator-(complex b) const { return complex(__fsub_rn(re, b.re), __fsub_rn(im, b.im)); }
    __device__ complex operator*(complex b) const
    {
        return complex(__fsub_rn(__fmul_rn(re, b.re), __fmul_rn(im, b.im)), __fadd_rn(__fmul_rn(re, b.im), __fmul_rn(im, b.re)));
    }
};

PROGRAM(corpus, 1, 48, 14)
{
    double m[4][4], inv[4][4];

    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            m[i][k] = drawd((uint32_t)(4 * i + k), -1.0, 1.0);
            inv[i][k] = i == k;
        }
    for (int c = 0; c < 4; c++) { // Gauss and Jordan
        int best = c;
        for (int r = c + 1; r < 4; r++)
            if (fabs(m[r][c]) > fabs(m[best][c]))
                best = r;
        for (int k = 0; k < 4; k++) {
            double t = m[c][k];
            m[c][k] = m[best][k], m[best][k] = t;
            t = inv[c][k], inv[c][k] = inv[best][k], inv[best][k] = t;
        }
        double d = __ddiv_rn(1.0, m[c][c]);
        for (int k = 0; k < 4; k++)
            m[c][k] = __dmul_rn(m[c][k], d), inv[c][k] = __dmul_rn(inv[c][k], d);
        for (int r = 0; r < 4; r++)
            if (r != c) {
                double f = m[r][c];
                for (int k = 0; k < 4; k++)
                    m[r][k] = fma(-f, m[c][k], m[r][k]), inv[r][k] = fma(-f, inv[c][k], inv[r][k]);
            }
    }
    F64(inv[0][0], 0), F64(inv[2][1], 0), F64(inv[3][3], 0);
    complex x[8], w(0.70710678f, -0.70710678f);
    for (int i = 0; i < 8; i++) {
        unsigned j = __brev((unsigned)i) >> 29;
        x[j] = complex(drawf((uint32_t)(30 + i), -1, 1), 0.0f);
    }
    for (int n = 2; n <= 8; n *= 2) {
        complex step = n == 2 ? complex(-1, 0) : n == 4 ? complex(0, -1) : w;
        for (int i = 0; i < 8; i += n) {
            complex f(1, 0);
            for (int k = 0; k < n / 2; k++) {
                complex u = x[i + k], v = x[i + k + n / 2] * f;
                x[i + k] = u + v, x[i + k + n / 2] = u - v;
                f = f * step;
            }
        }
    }
    F32(x[0].re, 0), F32(x[3].re, 0), F32(x[5].im, 0);
    unsigned char a[12], b[10], row[11];
    for (int i = 0; i < 12; i++)
        a[i] = (unsigned char)(draw((uint32_t)(50 + i)) & 3);
    for (int i = 0; i < 10; i++)
        b[i] = (unsigned char)(draw((uint32_t)(70 + i)) & 3);
    for (int k = 0; k <= 10; k++)
        row[k] = (unsigned char)k;
    for (int i = 1; i <= 12; i++) { // Levenshtein
        unsigned char diagonal = row[0];
        row[0] = (unsigned char)i;
        for (int k = 1; k <= 10; k++) {
            unsigned char up = row[k];
            unsigned char best = (unsigned char)min(min((int)up + 1, (int)row[k - 1] + 1), diagonal + (a[i - 1] != b[k - 1]));
            diagonal = up, row[k] = best;
        }
    }
    U32(row[10]);
    __shared__ float4 body[48];
    body[threadIdx.x] = make_float4(drawf(90, -1, 1), drawf(91, -1, 1), drawf(92, -1, 1), drawf(93, 0.5f, 1));
    __syncthreads();
    float ax = 0, ay = 0;
    for (int i = 0; i < 48; i++) {
        float dx = __fsub_rn(body[i].x, body[threadIdx.x].x), dy = __fsub_rn(body[i].y, body[threadIdx.x].y);
        float d = fmaf(dx, dx, fmaf(dy, dy, 0.01f)), f = __fdiv_rn(body[i].w, __fmul_rn(d, __fsqrt_rn(d)));
        ax = fmaf(dx, f, ax), ay = fmaf(dy, f, ay);
    }
    F32(ax, 0), F32(ay, 0);
    unsigned long long queens = 0, fib = 1, prev = 0;
    for (unsigned i = 0; i < (draw(95) & 63) + 2; i++) {
        unsigned long long t = fib + prev;
        prev = fib, fib = t;
    }
    queens = fib % 1000003ull;
    U32(queens), U32(fib >> 20);
}
