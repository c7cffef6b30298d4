"""NVIDIA's cuda-samples, as their CMake recipes build them. They ask for today's nvcc itself."""
import os
import re

from runner import Program

TITLE, SOURCE = "cuda-samples", "NVIDIA/cuda-samples c94ff366a"
NEEDS = (r"CUDA::(?:cublas|cufft|cusparse|cusolver|npp|curand|nvjpeg|nvvm)|GLUT|OpenGL|\bEGL\b|"
         r"Vulkan|\bMPI\b|FreeImage|NVSCI|DIRECTX|NVVM_LIB|D3D")
# Smaller problems than the samples choose themselves.
ARGUMENTS = {
    "reduction": "--n=1048576",
    "reductionMultiBlockCG": "--n=1048576",
    "MC_EstimatePiInlineP": "--sims=100000",
    "MC_SingleAsianOptionP": "--sims=100000",
    "FDTD3d": "--dimx=64 --dimy=64 --dimz=64 --timesteps=3",
    "radixSortThrust": "-n=65536",
    "simpleStreams": "--nreps=2",
}
NOTES = {
    "graphConditionalNodes": "gives cudaGraphAddNode 0 as the number of dependencies: its nodes see the value of the launch before",
    "jitLto": "machine code from link-time optimisation, without PTX",
}
NEWER = dict.fromkeys(("bf16TensorCoreGemm", "dmmaTensorCoreGemm", "tf32TensorCoreGemm"), "an sm_80")
LIBRARIES = (("nvrtc", "-lnvrtc"), ("OpenMP", "-Xcompiler -fopenmp"), ("nvJitLink", "-lnvJitLink"),
             ("cdp", "-rdc=true -lcudadevrt"))


def headers(at):
    """What CMake copies beside a sample that compiles its kernels while it runs."""
    include = os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/include"
    for path in ("cooperative_groups.h", "cooperative_groups", "cccl/nv", "cccl/cuda"):
        beside = os.path.join(at, os.path.basename(path))
        if not os.path.lexists(beside):
            os.symlink(os.path.join(include, path), beside)


def one(samples, at):
    name = os.path.basename(at)
    with open(os.path.join(at, "CMakeLists.txt"), encoding="utf-8") as f:
        recipe = re.sub(r"(?m)^\s*#.*", "", f.read())
    missing = re.search(NEEDS, recipe)
    made = re.search(r"add_executable\s*\(\s*\S+\s+([^)]*)\)", recipe)
    sources = [s.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "") for s in (made.group(1) if made else "").split()]
    sources = tuple(s for s in sources if re.search(r"\.(cu|cpp|c|cc)$", s))
    flags = "-I../../../Common -Iinc -std=c++17 --extended-lambda -lcuda -L" + \
        os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/lib64/stubs"
    for word, more in LIBRARIES:
        if word in recipe or word in name:
            flags += " " + more
    # Kernels that the sample loads from files.
    modules = ""
    for kernel in re.findall(r"CMAKE_CURRENT_SOURCE_DIR\}/(\w+)\.cu\b", recipe):
        for kind in ("fatbin", "ptx") if re.search("-fatbin|-ptx", recipe) else ():
            modules += f" && $CC -I../../../Common -{kind} -o {kernel.replace('_kernel', '_kernel64')}.{kind} {kernel}.cu"
    make = f"$CC {flags} -o $OUT {' '.join(sources)}{modules}" if modules else ""
    return Program("/".join(at.split(os.sep)[-2:]), os.path.relpath(at, os.path.dirname(samples)), sources, flags, make,
                   prepare=headers if "cooperative_groups.h" in recipe else None, run=ARGUMENTS.get(name, ""), plain=True, note=NOTES.get(name, ""),
                   needs=missing.group(0) if missing else NEWER.get(name, "") if made else "a program that CMake builds",
                   right=r"(?i)test passed|assert failed as expected|\bpassed\b|result *= *pass|\bsuccess|waiv|\bOK\b",
                   wrong=r"returned ERROR" if "simpleAssert" in name else r"(?i)\btest failed\b|\bfailed\b|result *= *fail|\berror(?!s?:? *[0=])\b.*mismatch")


def programs(folder):
    samples = os.path.join(folder, "Samples")
    return [one(samples, at) for at, _, files in sorted(os.walk(samples))
            if "CMakeLists.txt" in files and at.count(os.sep) == samples.count(os.sep) + 2]
