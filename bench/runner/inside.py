"""What tables say about rows in guests (bench/guest): the guest itself, and what was counted in it and around it."""

from runner import statistics

PHASES = ("spawn_ready", "work", "shutdown", "total")
COUNTED = {  # in drivers/counters.c: the heading
    "context_switches": "context switches", "timer_interrupts": "timer interrupts", "reschedule_interrupts": "reschedule interrupts",
    "call_interrupts": "call interrupts", "tlb_shootdowns": "TLB shootdowns", "page_faults": "page faults", "runnable_ns": "runnable, ms",
    "user_ms": "user, ms", "system_ms": "system, ms", "idle_ms": "idle, ms"}
USED = {"on_processor_ns": "on a processor, ms", "runnable_ns": "runnable, ms", "slices": "slices", "voluntary_switches": "voluntary switches",
        "involuntary_switches": "involuntary switches"}


def is_inside(record, row):
    return record["systems"].get(row["system"], {}).get("guest", False)


def shows_scaling(record, row):
    """TCG's times change with the number of processors for reasons of its own."""
    return not is_inside(record, row) or record["guest"]["accelerator"] == "kvm"


def about(record):
    """Lines above the table."""
    guest = record.get("guest")
    if not guest:
        return []
    text = [f"Guests: Linux {guest['release']} in {guest['qemu'].partition(' (')[0]}, {guest['how']}, each virtual processor bound to a processor: "
            f"**{guest['label']}**."]
    if guest["not_kvm"]:
        text[0] += f" Not KVM: {guest['not_kvm']}."
    if record["settings"].get("MEASURE"):
        text.append("The guests' kernels were asked for their counts at the ends of phases: the guests' times are not those of other runs.")
    return text


def scaled(name, value):
    return value * 1e-6 if name.endswith("_ns") else value


def good(record):
    """Rows in guests, with the samples that count."""
    for row in record["rows"]:
        samples = [sample for sample in row["samples"] if sample["status"] == "ok"]
        if samples and is_inside(record, row):
            yield row, samples


def counted(record):
    """(system, workers, phase, medians of COUNTED or None) for each phase."""
    for row, samples in good(record):
        for phase in PHASES:
            found = [[s["costs"][f"{phase}.{name}"] for s in samples if f"{phase}.{name}" in s.get("costs", {})] for name in COUNTED]
            if any(found):
                yield row["system"], row["workers"], phase, [scaled(name, statistics.median(v)) if v else None for name, v in zip(COUNTED, found)]


def used(record):
    """(system, workers, thread of QEMU, medians of USED)."""
    for row, samples in good(record):
        profiles = [sample["host_threads"] for sample in samples if "host_threads" in sample]
        for thread in profiles[0] if profiles else ():
            found = [[profile[thread][name] for profile in profiles if thread in profile] for name in USED]
            yield row["system"], row["workers"], thread, [scaled(name, statistics.median(values)) for name, values in zip(USED, found)]
