"""libgomp and libomp in the engine.  Their sources come from Debian's packages when they are needed, into the build folder; no
part of them is in this tree."""

import glob
import os
import shutil
import subprocess
import tempfile

from simulator import building
from simulator.building import ENGINE, TRACED, build_folder
from simulator.problem import Missing, Problem

GCC, GCC_TAR = "gcc-12.2.0", "/usr/src/gcc-12/gcc-12.2.0*.tar.xz"
LLVM = "llvm-toolchain-14_14.0.6"
# Files of libgomp that make the library on Linux, without offloading's plug-ins.
GOMP = """alloc atomic barrier critical env error icv icv-device iter iter_ull loop loop_ull ordered parallel scope sections single task
team work lock mutex proc sem bar ptrlock time affinity target splay-tree libgomp-plugin oacc-parallel oacc-host oacc-init oacc-mem
oacc-async oacc-plugin oacc-cuda priority_queue affinity-fmt teams allocator oacc-profiling oacc-target""".split()
OMP = """kmp_alloc kmp_atomic kmp_csupport kmp_debug kmp_itt kmp_environment kmp_error kmp_global kmp_i18n kmp_io kmp_runtime
kmp_settings kmp_str kmp_tasking kmp_threadprivate kmp_utility kmp_barrier kmp_wait_release kmp_affinity kmp_dispatch kmp_lock
kmp_sched kmp_taskdeps kmp_cancel kmp_ftn_cdecl kmp_ftn_extra kmp_version kmp_gsupport z_Linux_util ompt-general""".split()
# What libomp's configuration says yes to: as for Debian's package, but a release build, without shared memory, versions of
# symbols and ITT.
YES = """WEAK_ATTRIBUTE XMMINTRIN_H IMMINTRIN_H X86INTRIN_H RTM_INTRINSICS ATTRIBUTE_RTM __RDTSC _MM_MALLOC ALIGNED_ALLOC
POSIX_MEMALIGN""".split()
YES = {f"LIBOMP_HAVE_{x}" for x in YES} | {f"LIBOMP_{x}" for x in ("OMPT_SUPPORT", "OMPT_OPTIONAL", "USE_ADAPTIVE_LOCKS", "ENABLE_ASSERTIONS")}


def sources():
    folder = os.path.join(build_folder(), "sources")
    os.makedirs(folder, exist_ok=True)
    return folder


def attempt(what, command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Missing(f"{what} cannot be fetched: {(done.stderr.strip() or 'no network?').splitlines()[-1]}")


def gcc_sources():
    place = os.path.join(sources(), GCC)
    if os.path.isdir(os.path.join(place, "libgomp")):
        return place
    with tempfile.TemporaryDirectory(dir=sources()) as work:
        found = glob.glob(GCC_TAR)
        if not found:
            attempt("gcc-12-source", ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", "gcc-12-source"], work)
            attempt("gcc-12-source", ["sh", "-c", "dpkg -x gcc-12-source*.deb ."], work)
            found = glob.glob(work + GCC_TAR)
        wanted = ["libgomp", "include", "config", "config.guess", "config.sub", "config-ml.in", "install-sh", "ltmain.sh", "missing",
                  "multilib.am", "gcc/BASE-VER"]
        attempt("gcc-12-source", ["tar", "xf", found[0], *(f"{GCC}/{x}" for x in wanted)], work)
        os.rename(os.path.join(work, GCC), place)
    return place


def configured_gomp(source):
    """Runs libgomp's own configure."""
    place = os.path.join(sources(), "libgomp-configured")
    if not os.path.exists(os.path.join(place, "gstdint.h")):
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        with open(os.path.join(place, "log"), "w") as log:
            done = subprocess.run([os.path.join(source, "libgomp", "configure"), "--disable-multilib", "--disable-werror"], cwd=place,
                                  stdout=log, stderr=log)
        if done.returncode != 0:
            raise Problem(f"libgomp's configure failed: {log.name}")
        header = os.path.join(place, "config.h")
        with open(header) as file:
            kept = [line for line in file if "SYMVER" not in line]
        with open(header, "w") as file:
            file.writelines(kept)
        with open(os.path.join(place, "gstdint.h"), "w") as file:
            file.write("#include <stdint.h>\n")
    return place


def libgomp():
    source = gcc_sources()
    own, place = os.path.join(source, "libgomp"), configured_gomp(source)
    folders = [os.path.join(own, x) for x in ("config/linux", "config/posix", ".")]
    includes = [os.path.join(ENGINE, "gomp"), place, *folders, os.path.join(source, "include")]
    objects = building.Objects("libgomp")
    for name in GOMP:
        path = next(p for p in (os.path.join(folder, name + ".c") for folder in folders) if os.path.exists(p))
        objects.add(path, [building.gcc(), "-std=gnu11", *TRACED, "-fPIC", "-DHAVE_CONFIG_H", *(f"-I{x}" for x in includes)])
    return objects.make()


def mirror():
    """Debian's archive that this system uses."""
    for path in ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"):
        if os.path.exists(path):
            with open(path) as file:
                for line in file:
                    words = line.split()
                    if words and words[0] in ("URIs:", "deb"):
                        return next(word for word in words if "://" in word).rstrip("/")
    raise Missing("no mirror of Debian is known")


def llvm_sources():
    place = os.path.join(sources(), LLVM)
    if os.path.isdir(os.path.join(place, "openmp", "runtime", "src")):
        return os.path.join(place, "openmp", "runtime")
    with tempfile.TemporaryDirectory(dir=sources()) as work:
        name = f"{LLVM}.orig.tar.xz"
        attempt("LLVM's source package", ["curl", "-sSfO", f"{mirror()}/pool/main/l/llvm-toolchain-14/{name}"], work)
        attempt("LLVM's source package", ["tar", "xf", name, "--wildcards", "*/openmp/runtime/src/*", "*/openmp/runtime/tools/*"], work)
        os.rename(os.path.join(work, LLVM), place)
    return os.path.join(place, "openmp", "runtime")


def filled(text):
    """A header as libomp's cmake would write it."""
    lines = []
    for line in text.splitlines():
        words = line.split()
        if words and words[0] == "#cmakedefine01":
            line = f"#define {words[1]} {int(words[1] in YES)}"
        lines.append(line.replace("@LIBOMP_LEGAL_ARCH@", "Intel(R) 64").replace("@LIBOMP_VERSION_MAJOR@", "5"))
    text = "\n".join(lines) + "\n"
    while "@LIBOMP_" in text:
        before, _, rest = text.partition("@LIBOMP_")
        text = before + "0" + rest.partition("@")[2]
    return text


def configured_omp(runtime):
    place = os.path.join(sources(), "libomp-configured")
    if os.path.exists(os.path.join(place, "kmp_i18n_default.inc")):
        return place
    os.makedirs(place, exist_ok=True)
    for template, name in (("src/kmp_config.h.cmake", "kmp_config.h"), ("src/include/omp.h.var", "omp.h"), ("src/include/omp-tools.h.var", "omp-tools.h")):
        with open(os.path.join(runtime, template)) as file, open(os.path.join(place, name), "w") as out:
            out.write(filled(file.read()))
    for option in ("--enum=kmp_i18n_id.inc", "--default=kmp_i18n_default.inc"):
        done = subprocess.run(["perl", os.path.join(runtime, "tools", "message-converter.pl"), "--os=lin", "--prefix=kmp_i18n", option,
                               os.path.join(runtime, "src", "i18n", "en_US.txt")], cwd=place, capture_output=True, text=True)
        if done.returncode != 0:
            raise Problem(f"libomp's messages: {done.stderr}")
    return place


def libomp():
    compiler = building.clang()
    runtime = llvm_sources()
    place, src = configured_omp(runtime), os.path.join(runtime, "src")
    includes = [place, src, os.path.join(src, "include"), os.path.join(src, "i18n"), os.path.join(src, "thirdparty", "ittnotify")]
    flags = [f"-I{x}" for x in includes]
    objects = building.Objects("libomp")
    for name in OMP:
        objects.add(os.path.join(src, name + ".cpp"), [compiler, "-std=c++14", *TRACED, "-fPIC", "-fno-exceptions", "-fno-rtti", *flags])
    objects.add(os.path.join(src, "z_Linux_asm.S"), [compiler, *flags])
    return objects.make()
