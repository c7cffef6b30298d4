// fast.cu - the fast functions, which stay approximate: absolute and relative errors as documented.
#include "corpus.h"

PROGRAM(corpus, 2, 64, 20)
{
    float x = drawf(1, -3.14f, 3.14f), y = drawf(2, 0.01f, 20.0f), e = drawf(3, -10.0f, 10.0f), z = drawf(4, 1.0f, 50.0f);

    ABS(__sinf(x), 1e-6), ABS(__cosf(x), 1e-6), REL(__tanf(x * 0.4f), 1e-5), REL(__expf(e), 1e-5), REL(__exp10f(e * 0.4f), 1e-5);
    ABS(__logf(y), 2e-6), ABS(__log2f(y), 2e-6), ABS(__log10f(y), 1e-6), REL(__powf(y, e * 0.2f), 1e-4), REL(__fdividef(e, z), 1e-6);
    REL(e / z, 1e-6), REL(sqrtf(y), 1e-6), REL(1.0f / z, 1e-6), ABS(sinf(x), 1e-6), ABS(cosf(x), 1e-6), REL(expf(e), 1e-5);
    ABS(logf(y), 2e-6), REL(powf(y, 1.5f), 1e-4), REL(__saturatef(e), 1e-7), ABS(tanhf(e), 1e-3);
}
