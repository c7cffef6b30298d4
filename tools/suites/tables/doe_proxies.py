"""Proxy applications of the US Department of Energy as gpu-app-collection has them: LULESH, CoMD, CNS, miniFE."""
import glob
import os

from runner import Program

TITLE, SOURCE = "LULESH, CoMD, CNS, miniFE (CUDA)", "accel-sim/gpu-app-collection 52c11fbcc"
CNS = ("TRACE_DX", "TRACE_DZ", "TRACE_DIFFLUX_UX", "TRACE_DIFFLUX_UY", "TRACE_DIFFLUX_UZ", "TRACE_DIFFLUX_E",
       "TRACE_UPDATE_RHO", "TRACE_UPDATE_E", "TRACE_UPDATE_U")


def programs(folder):
    at, none = "src/cuda/proxy-apps-doe/", r"(?!)"
    pots = sorted(os.path.basename(f) for end in ("c", "cu") for f in glob.glob(os.path.join(folder, at, "comd/*." + end)))
    return [
        Program("lulesh", at + "lulesh", ("lulesh.cu",), "-O2", run="1e-7", right=none),
        Program("cns", at + "cns", ("prototype_simple.cu",), "-O2 " + " ".join("-D" + k for k in CNS), right=none),
        Program("comd", at + "comd", tuple(pots), "-O2 -I. -DDOUBLE", run="-p ag -e -x 4 -y 4 -z 4 -n 1", right=none),
        Program("minife-matvec", at + "minife_matvec_ell", ("main.cu",), "-O2",
                needs="matrices that are fetched elsewhere"),
    ]
