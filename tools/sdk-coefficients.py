#!/usr/bin/env python3
# sdk-coefficients.py - make sdk/include/heddle/coefficients.h again: the polynomials of the device's
# mathematics, fitted at Chebyshev points with 40 digits and rounded. Needs python3-mpmath; nobody needs
# this to build. Prints the greatest error of each fit before rounding, in bits.
import mpmath as mp

mp.mp.dps = 40


def sqrt_of(f, zero):
    """f as a function of its argument's square."""
    return lambda z: f(mp.sqrt(z)) if z > mp.mpf(10) ** -9 else mp.mpf(zero)


def log_tail(f):  # log(1+f) = f - f^2/2 + f^3 P(f)
    return (mp.log1p(f) - f + f * f / 2) / f**3 if abs(f) > 1e-12 else mp.mpf(1) / 3


def exp_tail(r):  # exp(r) = 1 + r + r^2 P(r)
    return (mp.expm1(r) - r) / r**2 if abs(r) > 1e-12 else mp.mpf(1) / 2


def erfcx(x):
    return mp.erfc(x) * mp.exp(x * x)


def erfcx_of(t):  # t = (x-4)/(x+4), x = 4 (1+t)/(1-t)
    if t > 1 - mp.mpf(10) ** -12:
        return 2 / mp.sqrt(mp.pi)
    x = 4 * (1 + t) / (1 - t)
    if x > 12:  # asymptotic, with digits to spare
        s = mp.mpf(1)
        term = mp.mpf(1)
        for k in range(1, 60):
            term *= -(2 * k - 1) / (2 * x * x)
            s += term
            if abs(term) < mp.mpf(10) ** -30:
                break
        return (1 + 2 * x) / (x * mp.sqrt(mp.pi)) * s
    return erfcx(x) * (1 + 2 * x)


def lgamma_tail(d):  # log gamma(2+d) = (1 - 0.577...) d + d^2 P(d)
    return (mp.loggamma(2 + d) - (1 - mp.euler) * d) / d**2 if abs(d) > 1e-10 else (mp.zeta(2) - 1) / 2


LN2H = mp.log(2) / 2 + mp.mpf(1) / 1000
P4 = mp.pi / 4 + mp.mpf(1) / 1000
FITS = [
    # name, single precision, function, interval, number of coefficients
    ("LOGF", 1, log_tail, (-0.3334, 0.3334), 9),
    ("SINF", 1, sqrt_of(lambda r: (mp.sin(r) - r) / r**3, -mp.mpf(1) / 6), (0, P4**2), 4),
    ("COSF", 1, sqrt_of(lambda r: (mp.cos(r) - 1 + r * r / 2) / r**4, mp.mpf(1) / 24), (0, P4**2), 3),
    ("TANF", 1, sqrt_of(lambda r: (mp.tan(r) - r) / r**3, mp.mpf(1) / 3), (0, P4**2), 7),
    ("ATANF", 1, sqrt_of(lambda r: (mp.atan(r) - r) / r**3, -mp.mpf(1) / 3), (0, 1), 9),
    ("ASINF", 1, sqrt_of(lambda r: (mp.asin(r) - r) / r**3, mp.mpf(1) / 6), (0, 0.2501), 6),
    ("EXPF", 1, exp_tail, (-LN2H, LN2H), 6),
    ("TANHF", 1, sqrt_of(lambda r: (mp.tanh(r) - r) / r**3, -mp.mpf(1) / 3), (0, 0.3026), 5),
    ("ERFF", 1, sqrt_of(lambda r: mp.erf(r) / r - 1, 2 / mp.sqrt(mp.pi) - 1), (0, 1), 7),
    ("ERFCF", 1, lambda x: -mp.log(mp.erfc(x)) / x, (0.99, 4.0), 9),
    ("EXP", 0, exp_tail, (-LN2H, LN2H), 11),
    ("LOG", 0, sqrt_of(lambda s: (2 * mp.atanh(s) - 2 * s) / s**3, mp.mpf(2) / 3), (0, 0.02945), 8),
    ("POWLOG", 0, lambda z: sqrt_of(lambda q: ((2 * mp.atanh(q) - 2 * q) / q**3 - mp.mpf(2) / 3) / (q * q), mp.mpf(2) / 5)(z)
     if z > 1e-6 else mp.mpf(2) / 5 + z * 2 / 7 + z * z * 2 / 9, (0, 0.02945), 7),
    ("SIN", 0, sqrt_of(lambda r: (mp.sin(r) - r) / r**3, -mp.mpf(1) / 6), (0, P4**2), 7),
    ("COS", 0, sqrt_of(lambda r: (mp.cos(r) - 1 + r * r / 2) / r**4, mp.mpf(1) / 24), (0, P4**2), 7),
    ("ATAN", 0, sqrt_of(lambda r: (mp.atan(r) - r) / r**3, -mp.mpf(1) / 3), (0, 0.1717), 12),
    ("ASIN", 0, sqrt_of(lambda r: (mp.asin(r) - r) / r**3, mp.mpf(1) / 6), (0, 0.2501), 14),
    ("SINH", 0, sqrt_of(lambda r: (mp.sinh(r) - r) / r**3, mp.mpf(1) / 6), (0, 1), 8),
    ("TANH", 0, sqrt_of(lambda r: (mp.tanh(r) - r) / r**3, -mp.mpf(1) / 3), (0, 0.3026), 12),
    ("ASINH", 0, sqrt_of(lambda r: (mp.asinh(r) - r) / r**3, -mp.mpf(1) / 6), (0, 0.2501), 14),
    ("ERF", 0, sqrt_of(lambda r: mp.erf(r) / r - 1, 2 / mp.sqrt(mp.pi) - 1), (0, 1), 14),
    ("ERFCX", 0, erfcx_of, (-0.79, 1), 26),
    ("LGAMMA", 0, lgamma_tail, (-0.2501, 0.2501), 14),
]


def rational_digits(x, single):
    if single:
        mant, exp = mp.frexp(x)
        x = mp.ldexp(mp.nint(mp.ldexp(mant, 24)), int(exp) - 24)
    return float(x).hex() + ("f" if single else "")


def two_over_pi_bits():
    with mp.workdps(420):
        return int(mp.floor(mp.ldexp(2 / mp.pi, 1280)))


def main():
    out = [
        "// coefficients.h - polynomials of the device's mathematics, made by tools/sdk-coefficients.py.",
        "// Lowest power first; what each approximates and where stands there.",
        "#ifndef HEDDLE_COEFFICIENTS_H",
        "#define HEDDLE_COEFFICIENTS_H",
        "",
    ]
    for name, single, f, interval, n in FITS:
        poly, err = mp.chebyfit(f, [mp.mpf(interval[0]), mp.mpf(interval[1])], n, error=True)
        poly = poly[::-1]
        print(f"{name:6} {n:2} coefficients, error 2^{float(mp.log(err, 2)):.1f}")
        digits = [rational_digits(c, single) for c in poly]
        out.append(f"#define HD_{name}_POLY(z, fma) \\")
        text = digits[-1]
        for d in reversed(digits[:-1]):
            text = f"fma({text}, z, {d})"
        while len(text) > 92:
            cut = max(text.rfind(" ", 0, 92), text.rfind("(", 0, 92)) + 1
            out.append("    " + text[:cut].rstrip() + " \\")
            text = text[cut:]
        out.append("    " + text)
    bits = two_over_pi_bits()
    words = [0] + [bits >> (1280 - 64 * (i + 1)) & (1 << 64) - 1 for i in range(20)]
    out += ["// 2/pi: a word of zeros, then the bits behind the binary point.", "#define HD_TWO_OVER_PI_WORDS \\"]
    out += ["    " + " ".join(f"{w:#018x}ull," for w in words[i : i + 3]) + (" \\" if i < 18 else "") for i in range(0, 21, 3)]
    out += ["", "#endif"]
    with open("sdk/include/heddle/coefficients.h", "w", encoding="ascii") as f:
        f.write("\n".join(out) + "\n")


main()
