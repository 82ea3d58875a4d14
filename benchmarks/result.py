"""Say what was measured: a table on stdout, and a dated JSON file in benchmarks/results."""
import datetime
import json
import os
import pathlib
import platform
import subprocess

BENCHMARKS = pathlib.Path(__file__).resolve().parent
REPOSITORY = BENCHMARKS.parent
CODE = ["crates", "Cargo.toml", "Cargo.lock"]  # what the measured binary is made of
BUSY = 0.05  # share of the machine used by others above which a result is called noisy


def output_of(*command):
    """What a command prints, or an empty string where it cannot run."""
    try:
        done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def field_of(path, name):
    """The value of the first `name: value` line of a file, or None."""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next((line.split(":", 1)[1].strip() for line in lines if line.split(":")[0].strip() == name), None)


def machine():
    """The machine, its load just now, and the compiler."""
    memory = field_of("/proc/meminfo", "MemTotal")
    flags = (field_of("/proc/cpuinfo", "flags") or "").split()
    return {
        "cpu": field_of("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "simd": [flag for flag in ("avx2", "avx512f", "avx512_vpopcntdq") if flag in flags],
        "cores": os.cpu_count(),
        "memory_bytes": int(memory.split()[0]) * 1024 if memory else None,
        "kernel": f"{platform.system()} {platform.release()}",
        "rustc": output_of("rustc", "--version"),
        "python": platform.python_version(),
        "load_average": [round(load, 2) for load in os.getloadavg()],
    }


def commit():
    """The commit of the working tree, and whether the code differs from it."""
    return {"commit": output_of("git", "rev-parse", "HEAD"),
            "code_changed": bool(output_of("git", "status", "--porcelain", "--", *CODE))}


def table(header, rows):
    """Text columns: the first to the left, the others to the right."""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join(
        "  ".join(cell.ljust(width) if column == 0 else cell.rjust(width)
                  for column, (cell, width) in enumerate(zip(line, widths)))
        for line in lines)


def markdown(header, rows):
    """The same as a table of Markdown."""
    rule = ["---"] + ["---:"] * (len(header) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])


def span(figure, digits):
    """`median (min-max)` of a spread."""
    median, least, greatest = (f"{figure[key]:.{digits}f}" for key in ("median", "min", "max"))
    return f"{median} ({least}-{greatest})"


def noise(share):
    """One line about how quiet the machine was."""
    if share is None:
        return "noise: this system does not say what other programs used"
    said = f"noise: other programs took {share:.1%} of the CPU time while these ran"
    return said + ("; NOISY, repeat on a quiet machine before quoting" if share > BUSY else "")


def judged(bars, summary):
    """Bars, each a job, a key of its figures, words, a sign and a limit: with the figure, and whether it meets them."""
    rows = []
    for name, key, what, sign, limit in bars:
        value = summary[name][key]
        met = value >= limit if sign == ">=" else value <= limit
        rows.append({"what": what, "bar": f"{sign} {limit}", "value": value, "met": met})
    return rows


def bars_text(bars):
    """One line a bar."""
    return "\n".join(f"bar: {bar['what']} {bar['bar']}: {bar['value']} "
                     f"({'met' if bar['met'] else 'MISSED'})" for bar in bars)


def write(name, result):
    """Write benchmarks/results/YYYY-MM-DD-NAME.json and return its path."""
    today = datetime.date.today().isoformat()
    path = BENCHMARKS / "results" / f"{today}-{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"benchmark": name, "date": today, **commit(), **result}, indent=1) + "\n")
    return path.relative_to(REPOSITORY)
