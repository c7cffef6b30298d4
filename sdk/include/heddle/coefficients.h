// coefficients.h - polynomials of the device's mathematics, made by tools/sdk-coefficients.py.
// Lowest power first; what each approximates and where stands there.
#ifndef HEDDLE_COEFFICIENTS_H
#define HEDDLE_COEFFICIENTS_H

#define HD_LOGF_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(0x1.d0250a0000000p-4f, z, -0x1.fcdbfe0000000p-4f), z, \
    0x1.bf19200000000p-4f), z, -0x1.f756a20000000p-4f), z, 0x1.24b2960000000p-3f), z, \
    -0x1.55783e0000000p-3f), z, 0x1.9999540000000p-3f), z, -0x1.ffffb40000000p-3f), z, \
    0x1.5555560000000p-2f)
#define HD_SINF_POLY(z, fma) \
    fma(fma(fma(0x1.6dbb5c0000000p-19f, z, -0x1.a013a00000000p-13f), z, 0x1.11110e0000000p-7f), \
    z, -0x1.5555560000000p-3f)
#define HD_COSF_POLY(z, fma) \
    fma(fma(0x1.9bd5d80000000p-16f, z, -0x1.6c12ce0000000p-10f), z, 0x1.5555540000000p-5f)
#define HD_TANF_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(0x1.f91ece0000000p-9f, z, 0x1.3206b40000000p-10f), z, \
    0x1.46ceca0000000p-7f), z, 0x1.6230200000000p-6f), z, 0x1.ba53740000000p-5f), z, \
    0x1.1110860000000p-3f), z, 0x1.5555560000000p-2f)
#define HD_ATANF_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(-0x1.38de560000000p-9f, z, 0x1.ba9f660000000p-7f), z, \
    -0x1.25dc120000000p-5f), z, 0x1.0001c60000000p-4f), z, -0x1.6295f80000000p-4f), z, \
    0x1.c3f1680000000p-4f), z, -0x1.246cd20000000p-3f), z, 0x1.99983c0000000p-3f), z, \
    -0x1.5555540000000p-2f)
#define HD_ASINF_POLY(z, fma) \
    fma(fma(fma(fma(fma(0x1.14138c0000000p-5f, z, 0x1.18e1f60000000p-6f), z, \
    0x1.fd921a0000000p-6f), z, 0x1.6d5b8e0000000p-5f), z, 0x1.3334320000000p-4f), z, \
    0x1.5555540000000p-3f)
#define HD_EXPF_POLY(z, fma) \
    fma(fma(fma(fma(fma(0x1.a126700000000p-13f, z, 0x1.6d44d20000000p-10f), z, \
    0x1.1110e00000000p-7f), z, 0x1.5554e80000000p-5f), z, 0x1.5555560000000p-3f), z, \
    0x1.0000000000000p-1f)
#define HD_TANHF_POLY(z, fma) \
    fma(fma(fma(fma(-0x1.b12aec0000000p-8f, z, 0x1.5d20b00000000p-6f), z, \
    -0x1.b9a0280000000p-5f), z, 0x1.110fea0000000p-3f), z, -0x1.5555540000000p-2f)
#define HD_ERFF_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(0x1.4a56900000000p-14f, z, -0x1.a450880000000p-11f), z, \
    0x1.5412700000000p-8f), z, -0x1.b7faba0000000p-6f), z, 0x1.ce2d100000000p-4f), z, \
    -0x1.81273e0000000p-2f), z, 0x1.06eba80000000p-3f)
#define HD_ERFCF_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(-0x1.e08fb80000000p-23f, z, 0x1.c680f20000000p-19f), z, \
    -0x1.8811d00000000p-19f), z, -0x1.54ceda0000000p-12f), z, 0x1.f413300000000p-9f), z, \
    -0x1.8e089c0000000p-6f), z, 0x1.b62f3e0000000p-4f), z, 0x1.44f0340000000p-1f), z, \
    0x1.20f8140000000p+0f)
#define HD_EXP_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.1f73c205d8d57p-29, z, 0x1.af4f375ba602bp-26), \
    z, 0x1.27e4db08819d2p-22), z, 0x1.71de0190b33a1p-19), z, 0x1.a01a01a6f59a9p-16), z, \
    0x1.a01a01ac1adebp-13), z, 0x1.6c16c16c1629fp-10), z, 0x1.111111111007ep-7), z, \
    0x1.5555555555556p-5), z, 0x1.5555555555557p-3), z, 0x1.0000000000000p-1)
#define HD_LOG_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(0x1.0c06cf14c641bp-3, z, 0x1.0fbe478772696p-3), z, \
    0x1.3b1c38474d3eep-3), z, 0x1.745cf8f6c9119p-3), z, 0x1.c71c72017a15cp-3), z, \
    0x1.2492492476ba1p-2), z, 0x1.9999999999a38p-2), z, 0x1.5555555555555p-1)
#define HD_POWLOG_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(0x1.087aabe253d9cp-3, z, 0x1.10188237ff7e4p-3), z, \
    0x1.3b18ba4163286p-3), z, 0x1.745d09ebc663ep-3), z, 0x1.c71c71d7ef489p-3), z, \
    0x1.249249248e511p-2), z, 0x1.999999999999ep-2)
#define HD_SIN_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(-0x1.ab159dc3b3c21p-41, z, 0x1.61217b49ad79ap-33), z, \
    -0x1.ae64540e0633bp-26), z, 0x1.71de3a545dd92p-19), z, -0x1.a01a01a019921p-13), z, \
    0x1.1111111111110p-7), z, -0x1.5555555555555p-3)
#define HD_COS_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(0x1.ab76634757375p-45, z, -0x1.9394b6b53b9c8p-37), z, \
    0x1.1eed8de97b2c8p-29), z, -0x1.27e4fb77119ecp-22), z, 0x1.a01a01a019d00p-16), z, \
    -0x1.6c16c16c16c16p-10), z, 0x1.5555555555555p-5)
#define HD_ATAN_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.0aa87c56e3eb5p-6, z, \
    -0x1.1b2058fb5da30p-5), z, 0x1.74d64aa665b0ap-5), z, -0x1.ac78ec6b8cb98p-5), z, \
    0x1.e199da4156fd9p-5), z, -0x1.110e858a72e28p-4), z, 0x1.3b1392b641b06p-4), z, \
    -0x1.745d165cb83aap-4), z, 0x1.c71c71c2fe5d9p-4), z, -0x1.249249248d768p-3), z, \
    0x1.9999999999953p-3), z, -0x1.5555555555555p-2)
#define HD_ASIN_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.e58a4f278e006p-6, z, \
    -0x1.3bd7e353ddbc1p-6), z, 0x1.40c91fa8deb7ep-6), z, 0x1.8dcdf11997e12p-9), z, \
    0x1.31777489dfd29p-7), z, 0x1.3b462d121c5d3p-7), z, 0x1.7b02ef007d23ep-7), z, \
    0x1.c990a42b32b03p-7), z, 0x1.1c4efd20ebb99p-6), z, 0x1.6e8ba121b9d5fp-6), z, \
    0x1.f1c71c7a5e151p-6), z, 0x1.6db6db6dac0eap-5), z, 0x1.3333333333389p-4), z, \
    0x1.5555555555555p-3)
#define HD_SINH_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(0x1.99f0806c2628dp-49, z, 0x1.ae777c36fd5b6p-41), z, \
    0x1.612467ccb2260p-33), z, 0x1.ae6456792a77fp-26), z, 0x1.71de3a556f96cp-19), z, \
    0x1.a01a01a01a001p-13), z, 0x1.1111111111111p-7), z, 0x1.5555555555555p-3)
#define HD_TANH_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.08286da59d447p-17, z, \
    -0x1.1ad8e00df097cp-15), z, 0x1.8c91aa027e00fp-14), z, -0x1.f41cac23a5451p-13), z, \
    0x1.3547b99663ef6p-11), z, -0x1.7da25d2dc94ddp-10), z, 0x1.d6d3c5fa306d8p-9), z, \
    -0x1.226e3539a2567p-7), z, 0x1.664f48822e32fp-6), z, -0x1.ba1ba1ba1a723p-5), z, \
    0x1.1111111111109p-3), z, -0x1.5555555555555p-2)
#define HD_ASINH_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(0x1.3abec24c229bdp-10, z, \
    -0x1.c4aff441b5a6bp-9), z, 0x1.6b7dc5d3980a8p-8), z, -0x1.cf06cf48b810fp-8), z, \
    0x1.115b4088dfa7ep-7), z, -0x1.3fa615e362a2bp-7), z, 0x1.7a81f3e720761p-7), z, \
    -0x1.c999362ed16e6p-7), z, 0x1.1c4ec28f97fafp-6), z, -0x1.6e8ba2d609584p-6), z, \
    0x1.f1c71c716e3dfp-6), z, -0x1.6db6db6db66cep-5), z, 0x1.3333333333330p-4), z, \
    -0x1.5555555555555p-3)
#define HD_ERF_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.29b9f1b3df556p-38, z, \
    0x1.7f072188e194dp-34), z, -0x1.4e607b41a6416p-30), z, 0x1.fc4356498c2d9p-27), z, \
    -0x1.5f6d925a0bc7ap-23), z, 0x1.b9e6509b9867dp-20), z, -0x1.f4d2561aeafd4p-17), z, \
    0x1.f9a326c233146p-14), z, -0x1.c02db3feeb579p-11), z, 0x1.565bcd0e6502dp-8), z, \
    -0x1.b82ce312889bap-6), z, 0x1.ce2f21a042bdep-4), z, -0x1.812746b0379e7p-2), z, \
    0x1.06eba8214db69p-3)
#define HD_ERFCX_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma( \
    fma(fma(0x1.21fc971622dc7p-35, z, -0x1.4cca6647531eep-31), z, 0x1.5348de63cf436p-30), z, \
    0x1.397c1ac56d333p-28), z, -0x1.e08c31dc10a54p-27), z, -0x1.8ce2f3eb8824bp-26), z, \
    0x1.d701eca5f316dp-24), z, 0x1.58648ecff89acp-24), z, -0x1.bada0280e60fbp-21), z, \
    0x1.377cde408eadep-22), z, 0x1.7f253d270c9e7p-18), z, -0x1.787e988599291p-17), z, \
    -0x1.99590001bb083p-16), z, 0x1.3be025acced57p-13), z, -0x1.a1df27122fa65p-13), z, \
    -0x1.8d4a98f56dafcp-11), z, 0x1.49c67287b742fp-8), z, -0x1.09623885d985ep-6), z, \
    0x1.3079edf67f455p-5), z, -0x1.0fb06dfe46365p-4), z, 0x1.7fee004e12648p-4), z, \
    -0x1.9ddb23c3e926cp-4), z, 0x1.16ecefcfa5391p-4), z, 0x1.f7f5df66fd7e5p-7), z, \
    -0x1.1df1ad154a28ep-3), z, 0x1.3ba5916e9fd7fp+0)
#define HD_LGAMMA_POLY(z, fma) \
    fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(fma(-0x1.1f4d18a22a88fp-19, z, \
    0x1.340c98bc9c5b1p-18), z, -0x1.3c70fc1fb91dbp-17), z, 0x1.57bd762452185p-16), z, \
    -0x1.78df2b27aadcap-15), z, 0x1.a1288d4257c39p-14), z, -0x1.d3fd4b539becdp-13), z, \
    0x1.0b36aeeb7c750p-11), z, -0x1.38ac5c2c5a2b0p-10), z, 0x1.7add6eae1e271p-9), z, \
    -0x1.e404fc218f46cp-8), z, 0x1.51322ac7d83b4p-6), z, -0x1.13e001a557607p-4), z, \
    0x1.4a34cc4a60fa6p-2)
// 2/pi: a word of zeros, then the bits behind the binary point.
#define HD_TWO_OVER_PI_WORDS \
    0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, \
    0xdb6295993c439041ull, 0xfe5163abdebbc561ull, 0xb7246e3a424dd2e0ull, \
    0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull, \
    0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, \
    0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, \
    0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, \
    0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull, 0xf0cfbc209af4361dull,

#endif
