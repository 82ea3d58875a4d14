"""Where two sets of outputs differ, in words."""

SHOWN = 160  # characters of a line


def differences(one_name, one, other_name, other):
    """A line for each output that only one has, or whose bytes differ, with the first place that does."""
    lines = []
    for name in sorted(one.keys() | other.keys()):
        if name not in other or name not in one:
            who = one_name if name in one else other_name
            lines.append(f"{name}: only {who} has it")
        elif one[name] != other[name]:
            lines += [
                f"{name}: {place(one[name], other[name])}",
                f"  {one_name}: {around(one[name], other[name])}",
                f"  {other_name}: {around(other[name], one[name])}",
            ]
    return lines


def first(one, other):
    """The number of bytes at the start that are the same."""
    if len(one) > len(other):
        one, other = other, one
    if other.startswith(one):
        return len(one)
    low, high = 0, len(one)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle)
    return low


def place(one, other):
    at = first(one, other)
    line = one.count(b"\n", 0, at) + 1
    return f"{len(one)} and {len(other)} bytes, the first difference at byte {at}, line {line}"


def around(data, other):
    """The line where the two begin to differ, or the bytes from there where it is no text."""
    at = first(data, other)
    start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
    line = data[start : end if end >= 0 else len(data)]
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return data[at : at + 24].hex(" ") or "(the end)"
    if len(text) > SHOWN:
        offset = max(0, len(data[start:at].decode(errors="ignore")) - SHOWN // 2)
        text = "..." + text[offset : offset + SHOWN] + "..."
    return repr(text) if line or end >= 0 else "(the end)"
