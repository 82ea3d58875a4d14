"""The model by which jieba 0.42.1 finds words that its dictionary lacks together with their parts of speech,
as the file parts_of_speech.bin that src/text/part_of_speech.rs reads. LICENSE-jieba is that of the model.

    pip install jieba==0.42.1
    python parts_of_speech.py parts_of_speech.bin

Numbers are little-endian. Probabilities are logarithms; each that occurs stands once in a list, and is
named by its place there (16 bits). States are numbered in the order of (position, part of speech).

    32 bits     how many probabilities; then each, as a 64-bit float, ascending
    16 bits     how many states; then each: a letter for the position (B, M, E, S), the length of its part of
                speech, the part of speech
    each state  its probability at the start of a run
    each state  16 bits: how many states may follow; then each: its number (8 bits), the probability
    32 bits     how many characters; then each: the character (32 bits), 16 bits: how many states may show it, and
                each of these: its number, the probability; then 16 bits: how many states are tried where it
                occurs, and their numbers; 65535 stands for those that may show it, 65534 for all
"""

import struct
import sys

import jieba
from jieba.posseg import char_state_tab_P, emit_P, start_P, trans_P

SAME, ALL = 65535, 65534

assert jieba.__version__ == "0.42.1", jieba.__version__
states = sorted(start_P)
number = {state: i for i, state in enumerate(states)}
assert set(states) == set(trans_P) == set(emit_P) and len(states) == 256
rows = [start_P, *trans_P.values(), *emit_P.values()]
values = sorted({value for row in rows for value in row.values()})
place = {value: i for i, value in enumerate(values)}
assert len(values) <= 65536

shown = {}
for state in states:
    for character, value in emit_P[state].items():
        shown.setdefault(character, []).append((number[state], place[value]))

out = struct.pack("<I", len(values)) + struct.pack(f"<{len(values)}d", *values)
out += struct.pack("<H", len(states))
for position, part in states:
    out += struct.pack("<cB", position.encode(), len(part)) + part.encode()
out += b"".join(struct.pack("<H", place[start_P[state]]) for state in states)
for state in states:
    follow = sorted((number[to], place[value]) for to, value in trans_P[state].items())
    out += struct.pack("<H", len(follow)) + b"".join(struct.pack("<BH", *entry) for entry in follow)
characters = sorted(set(shown) | set(char_state_tab_P))
out += struct.pack("<I", len(characters))
for character in characters:
    emitted = shown.get(character, [])
    out += struct.pack("<IH", ord(character), len(emitted))
    out += b"".join(struct.pack("<BH", *entry) for entry in emitted)
    tried = char_state_tab_P.get(character)
    tried = tried and sorted(number[state] for state in tried)
    if not tried:
        # jieba tries all states; an empty list is in none of its tables.
        assert tried is None
        out += struct.pack("<H", ALL)
    elif tried == [state for state, _ in emitted]:
        out += struct.pack("<H", SAME)
    else:
        out += struct.pack("<H", len(tried)) + bytes(tried)
with open(sys.argv[1], "wb") as file:
    file.write(out)
