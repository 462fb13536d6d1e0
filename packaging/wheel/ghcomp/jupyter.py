"""Makes a kernel for Jupyter that is this Python under `ghcomp run`.
usage: python -m ghcomp.jupyter [FOLDER]
  FOLDER: where Jupyter looks for kernels; without it the one of this Python's environment.
          For a Jupyter that runs elsewhere: ~/.local/share/jupyter/kernels"""

import json
import os
import sys

from ghcomp import command


def kernel():
    """What is in kernel.json.  {connection_file} is Jupyter's to fill in."""
    return {
        "argv": [command(), "run", "--", sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Python (ghcomp)",
        "language": "python",
    }


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["--help"], ["-h"]):
        print(__doc__, file=sys.stderr if len(arguments) > 1 else sys.stdout)
        return 2 if len(arguments) > 1 else 0
    kernels = arguments[0] if arguments else os.path.join(sys.prefix, "share", "jupyter", "kernels")
    path = os.path.join(kernels, "ghcomp", "kernel.json")
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(kernel(), file, indent=1)
    except OSError as error:
        print(f"ghcomp: {path} cannot be written: {error.strerror}; expected a folder that you may write in", file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
