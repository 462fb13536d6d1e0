"""The guests of one run: booted when they are needed, one for each number of virtual processors, and stopped while others work."""

import os

from guest import kernel, qemu, threads

KVM_S = 10  # a guest under KVM begins in one or two seconds
LABELS = {"tcg": "regression coverage, no scaling evidence", "kvm": "a guest under KVM, to be kept apart from runs on the machine itself"}
HOW = {"tcg": "TCG with a thread for each virtual processor", "kvm": "KVM"}


class Guests:
    def __init__(self, image, accelerator, stem=None):
        """Console output goes to files whose names begin with `stem`, which the caller may set later."""
        self.image, self.accelerator, self.stem = image, accelerator, stem
        self.running, self.failed, self.consoles = {}, {}, []

    def console(self, processors):
        again, path = 1, f"{self.stem}.{processors}-console.txt"
        while os.path.exists(path):
            again += 1
            path = f"{self.stem}.{processors}-console-{again}.txt"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.consoles.append(os.path.basename(path))
        return path

    def new_consoles(self):
        """The names of files that no call has named before."""
        found, self.consoles = self.consoles, []
        return found

    def get(self, processors, host):
        """A guest that waits for a program.  Where one could not be booted, no other one is tried."""
        key = processors, tuple(host)
        if key in self.failed:
            raise self.failed[key]
        if key in self.running:
            self.running[key].go_on()
        else:
            try:
                self.running[key] = qemu.Guest(self.image.kernel, self.image.archive, self.accelerator, processors, host,
                                               self.console(processors))
            except qemu.Failed as failed:
                self.failed[key] = failed
                raise
        return self.running[key]

    def run(self, processors, host, environment, words, limit_s):
        """The program's answer, and what QEMU's threads did meanwhile.  A guest that fails, or whose program does not end, is
        replaced for the next program."""
        guest = self.get(processors, host)
        try:
            before = guest.threads()
            answer = guest.run(environment, words, limit_s)
            used = threads.between(before, guest.threads())
            guest.pause()
        except BaseException:
            guest.end()
            del self.running[processors, tuple(host)]
            raise
        return answer, used

    def close(self):
        for guest in self.running.values():
            guest.end()
        self.running = {}


def kvm_opens():
    return os.access("/dev/kvm", os.R_OK | os.W_OK)


def try_one(image, accelerator, limit_s):
    """Boots a guest with one processor, and says what it is; None and a reason: it does not begin here."""
    console = os.path.join(kernel.place(), f"tried-{os.getpid()}-{accelerator}-console.txt")
    try:
        guest = qemu.Guest(image.kernel, image.archive, accelerator, 1, sorted(os.sched_getaffinity(0))[:1], console, limit_s)
    except qemu.Failed as failed:
        return None, str(failed)
    finally:
        if os.path.exists(console):
            os.remove(console)
    guest.end()
    return guest.about, None


def choose(image, wanted=None):
    """(accelerator, what its guest says, why it is not KVM).  The accelerator is None where no guest begins."""
    reasons = []
    for accelerator in [wanted] if wanted else ["kvm", "tcg"]:
        if accelerator == "kvm" and not kvm_opens():
            reasons.append((accelerator, "/dev/kvm cannot be opened"))
            continue
        about, why = try_one(image, accelerator, KVM_S if accelerator == "kvm" else qemu.BOOT_S)
        if about:
            return accelerator, about, reasons[0][1] if reasons else "ACCELERATOR=tcg" if wanted == "tcg" else None
        reasons.append((accelerator, why))
    return None, None, "; ".join(f"by {accelerator.upper()}: {reason}" for accelerator, reason in reasons)


def describe(image, accelerator, about, why):
    """What a record says about its guests."""
    return {"accelerator": accelerator, "how": HOW[accelerator], "label": LABELS[accelerator], "not_kvm": why, "qemu": qemu.version(),
            "release": about["release"], "clock": about["clock"], "kernel": kernel.about(image.kernel), "command_line": qemu.COMMAND_LINES[accelerator],
            "memory_mib": qemu.MEMORY_MIB, "files": image.files, "archive_sha256": image.sha256, "consoles": []}
