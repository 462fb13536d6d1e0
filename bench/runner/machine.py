"""Describes the machine, as far as it can be found out: part of every record."""

import glob
import os
import platform
import re
import subprocess

CPU = "/sys/devices/system/cpu"


def text(path):
    """A file's text, or None."""
    try:
        with open(path, errors="replace") as file:
            return file.read().strip().strip("\0")
    except OSError:
        return None


def output(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def processors():
    """Socket, core and threads of the core, for each processor that this process may use."""
    found = []
    for cpu in sorted(os.sched_getaffinity(0)):
        topology = f"{CPU}/cpu{cpu}/topology"
        found.append({
            "processor": cpu,
            "socket": text(f"{topology}/physical_package_id"),
            "core": text(f"{topology}/core_id"),
            "siblings": text(f"{topology}/thread_siblings_list") or str(cpu),
        })
    return found


def caches():
    found = []
    for index in sorted(glob.glob(f"{CPU}/cpu{min(os.sched_getaffinity(0))}/cache/index*")):
        found.append({name: text(f"{index}/{name}")
                      for name in ("level", "type", "size", "coherency_line_size", "shared_cpu_list")})
    return found


def quota():
    """The cgroup's limit in processors, or None; from cgroups of version 2 or 1."""
    limit = text("/sys/fs/cgroup/cpu.max")
    if limit and not limit.startswith("max"):
        allowed, period = limit.split()
        return int(allowed) / int(period)
    allowed, period = text("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), text("/sys/fs/cgroup/cpu/cpu.cfs_period_us")
    if allowed and period and int(allowed) > 0:
        return int(allowed) / int(period)
    return None


def cpu_info():
    info = text("/proc/cpuinfo") or ""
    def first(name):
        found = re.search(rf"^{name}\s*:\s*(.*)$", info, re.MULTILINE)
        return found[1] if found else None
    flags = (first("flags") or "").split()
    return {"model": first("model name"), "vendor": first("vendor_id"), "microcode": first("microcode"),
            "mhz": first("cpu MHz"), "x2apic": "x2apic" in flags, "constant_tsc": "constant_tsc" in flags,
            "hypervisor": "hypervisor" in flags}


def frequency():
    policy = f"{CPU}/cpu{min(os.sched_getaffinity(0))}/cpufreq"
    names = ("scaling_governor", "scaling_driver", "scaling_min_freq", "scaling_max_freq", "energy_performance_preference")
    found = {name: text(f"{policy}/{name}") for name in names}
    found["boost"] = text(f"{CPU}/cpufreq/boost")
    found["no_turbo"] = text(f"{CPU}/intel_pstate/no_turbo")
    return found


def parameters():
    """The kernel's start options that change scheduling or speed."""
    wanted = ("isolcpus", "nohz_full", "rcu_nocbs", "mitigations", "idle", "processor.max_cstate", "intel_idle.max_cstate",
              "intel_pstate", "amd_pstate", "tsc", "clocksource", "nosmt", "maxcpus", "preempt", "transparent_hugepage")
    return [word for word in (text("/proc/cmdline") or "").split() if word.partition("=")[0] in wanted]


def kernel():
    release = os.uname().release
    config = text(f"/boot/config-{release}") or output("zcat", "/proc/config.gz") or ""
    wanted = re.findall(r"^CONFIG_(?:HZ|PREEMPT\w*|NO_HZ\w*|SCHED_SMT|NUMA_BALANCING)=.*$", config, re.MULTILINE)
    return {"release": release, "version": os.uname().version, "parameters": parameters(),
            "config": wanted or None, "clocksource": text("/sys/devices/system/clocksource/clocksource0/current_clocksource")}


def memory():
    found = re.search(r"^MemTotal:\s*(\d+) kB", text("/proc/meminfo") or "", re.MULTILINE)
    return int(found[1]) * 1024 if found else None


def describe():
    dmi = "/sys/class/dmi/id"
    return {
        "system": platform.platform(),
        "architecture": os.uname().machine,
        "cpu": cpu_info(),
        "sockets": len({p["socket"] for p in processors()}),
        "cores": len({(p["socket"], p["siblings"]) for p in processors()}),
        "affinity": sorted(os.sched_getaffinity(0)),
        "online": text(f"{CPU}/online"),
        "processors": processors(),
        "caches": caches(),
        "numa_nodes": text("/sys/devices/system/node/online"),
        "quota_processors": quota(),
        "frequency": frequency(),
        "kernel": kernel(),
        "memory_bytes": memory(),
        "isolation": {name: text(f"{CPU}/{name}") for name in ("isolated", "nohz_full")},
        "virtual": output("systemd-detect-virt") or ("unknown hypervisor" if cpu_info()["hypervisor"] else None),
        "firmware": {name: text(f"{dmi}/{name}") for name in ("sys_vendor", "product_name", "bios_version")},
    }


def load():
    pressure = text("/proc/pressure/cpu")
    return {"average": text("/proc/loadavg"), "pressure": pressure}


def identity(machine):
    """What is equal in two records of the same machine."""
    return (machine["cpu"]["model"], machine["online"], machine["memory_bytes"], machine["firmware"]["product_name"])
