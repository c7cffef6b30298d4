// hostmath.h - functions that CUDA gives to host code too, beyond those of C's library.
#ifndef HEDDLE_HOSTMATH_H
#define HEDDLE_HOSTMATH_H

#define HD_BOTH static __host__ __device__ __inline__ __attribute__((always_inline, unused))
#define HD_HOST static __host__ __inline__ __attribute__((unused))

// min and max: clang has the device's for int; these are the others.
HD_HOST int min(int a, int b) { return a < b ? a : b; }
HD_HOST int max(int a, int b) { return a > b ? a : b; }
#define HD_MINMAX(type, a_, b_)                                                                    \
    HD_BOTH type min(a_ a, b_ b) { return (type)a < (type)b ? (type)a : (type)b; }                 \
    HD_BOTH type max(a_ a, b_ b) { return (type)a > (type)b ? (type)a : (type)b; }
HD_MINMAX(unsigned int, unsigned int, unsigned int)
HD_MINMAX(unsigned int, int, unsigned int)
HD_MINMAX(unsigned int, unsigned int, int)
HD_MINMAX(long, long, long)
HD_MINMAX(unsigned long, unsigned long, unsigned long)
HD_MINMAX(unsigned long, long, unsigned long)
HD_MINMAX(unsigned long, unsigned long, long)
HD_MINMAX(long long, long long, long long)
HD_MINMAX(unsigned long long, unsigned long long, unsigned long long)
HD_MINMAX(unsigned long long, long long, unsigned long long)
HD_MINMAX(unsigned long long, unsigned long long, long long)
#define HD_FMINMAX(type, a_, b_, f)                                                                \
    HD_BOTH type min(a_ a, b_ b) { return __builtin_fmin##f((type)a, (type)b); }                   \
    HD_BOTH type max(a_ a, b_ b) { return __builtin_fmax##f((type)a, (type)b); }
HD_FMINMAX(float, float, float, f)
HD_FMINMAX(double, double, double, )
HD_FMINMAX(double, float, double, )
HD_FMINMAX(double, double, float, )

#define HD_PAIR(name)                                                                              \
    HD_DEV float name(float a) { return name##f(a); }                                              \
    HD_HOST float name(float a) { return name##f(a); }
HD_HOST double rsqrt(double a) { return 1.0 / sqrt(a); }
HD_HOST float rsqrtf(float a) { return (float)(1.0 / sqrt((double)a)); }
HD_HOST double rcbrt(double a) { return 1.0 / cbrt(a); }
HD_HOST float rcbrtf(float a) { return (float)(1.0 / cbrt((double)a)); }
HD_HOST double hd_whole_turns(double a) { return a - 2 * rint(a / 2); }
HD_HOST double sinpi(double a) { return sin(3.14159265358979323846 * hd_whole_turns(a)); }
HD_HOST double cospi(double a) { return cos(3.14159265358979323846 * hd_whole_turns(a)); }
HD_HOST float sinpif(float a) { return (float)sinpi((double)a); }
HD_HOST float cospif(float a) { return (float)cospi((double)a); }
HD_HOST double normcdf(double a) { return 0.5 * erfc(-0.70710678118654752440 * a); }
HD_HOST float normcdff(float a) { return (float)normcdf((double)a); }
HD_HOST double fdivide(double a, double b) { return a / b; }
HD_HOST float fdividef(float a, float b) { return a / b; }
HD_HOST unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
HD_HOST unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
HD_HOST long long llmin(long long a, long long b) { return a < b ? a : b; }
HD_HOST long long llmax(long long a, long long b) { return a > b ? a : b; }
HD_HOST unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
HD_HOST unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
HD_PAIR(rsqrt)
HD_PAIR(rcbrt)
HD_PAIR(sinpi)
HD_PAIR(cospi)
HD_PAIR(normcdf)
#undef HD_PAIR

#endif
