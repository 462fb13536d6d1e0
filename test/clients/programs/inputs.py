"""Makes inputs for clients, the same ones each time.  usage: inputs.py KIND NUMBER... >FILE"""

import random
import sys

DRAW = random.Random(20)


def proteins(count, length):
    """FASTA: variants of one ancestor, so that there is something to align or to group."""
    evolved("ACDEFGHIKLMNPQRSTVWY", count, length)


def genomes(count, length):
    evolved("ACGT", count, length, 0.02, 0.001)


def evolved(letters, count, length, changes=0.25, losses=0.03):
    ancestor = DRAW.choices(letters, k=length)
    for number in range(count):
        changed = [DRAW.choice(letters) if DRAW.random() < changes else letter for letter in ancestor if DRAW.random() > losses]
        print(f">s{number}\n{''.join(changed)}")


def cone(count, dimension, most):
    """normaliz: a cone with `count` generators."""
    print(f"amb_space {dimension}\ncone {count}")
    for _ in range(count):
        print(*(DRAW.randint(0, most) for _ in range(dimension)))
    print("HilbertBasis\nHilbertSeries")


def water(side):
    """XYZ: side³ molecules on a grid, each rotated differently."""
    print(f"{3 * side ** 3}\nwater")
    for number in range(side ** 3):
        centre = [3.1 * (number // side ** k % side) for k in range(3)]
        for name, dx, dy in (("O", 0, 0), ("H", 0.76, 0.59), ("H", -0.76, 0.59)):
            moved = [dx, dy, 0]
            moved = moved[number % 3:] + moved[:number % 3]
            print(name, *(f"{c + m:.4f}" for c, m in zip(centre, moved)))


def picture(width, height):
    """PPM: waves with noise."""
    noise = DRAW.randbytes(width * height * 3)
    pixels = bytes(min(255, (x * y // 97 % 160) + (40 if (x // 60 + y // 45 + c) % 2 else 0) + noise[(y * width + x) * 3 + c] // 8)
                   for y in range(height) for x in range(width) for c in range(3))
    sys.stdout.buffer.write(b"P6 %d %d 255\n" % (width, height) + pixels)


def noise(size):
    sys.stdout.buffer.write(DRAW.randbytes(size))


def spec(count):
    """RPM: `count` packages of three files each."""
    print("Name: many\nVersion: 1\nRelease: 1\nSummary: many\nLicense: none\n%define debug_package %{nil}\n%define _build_id_links none\n"
          "%description\nmany\n%prep\n%build\n%install")
    for number in range(count):
        print(f"mkdir -p %{{buildroot}}/opt/p{number}")
        for part in range(3):
            print(f"seq {number * 10 + part} {50000 + number * 3000} >%{{buildroot}}/opt/p{number}/part{part}")
    print("find %{buildroot} -exec touch -d @1700000000 {} +")
    for number in range(count):
        print(f"%package p{number}\nSummary: part {number}\n%description p{number}\npart {number}\n%files p{number}\n/opt/p{number}")


def words(kind):
    return " ".join("".join(DRAW.choices("abcdefghijklmnoprstuvw", k=DRAW.randint(2, 10))) for _ in range(kind))


def messages(count):
    """Two catalogues of gettext in one call: old.po has translations, new.pot similar messages without."""
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    with open("old.po", "w") as old, open("new.pot", "w") as new:
        old.write(head)
        new.write(head)
        for number in range(count):
            text = words(8)
            old.write(f'msgid "{text}"\nmsgstr "{text[::-1]}"\n\n')
            new.write(f'msgid "{text + words(2) if number % 3 else text}"\nmsgstr ""\n\n')


if __name__ == "__main__":
    globals()[sys.argv[1]](*map(int, sys.argv[2:]))
