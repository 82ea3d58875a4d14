"""What the tests share: the command of the same wheel, and texts of many kinds."""

import json
import subprocess
import sys

import pytest

WORDS = [f"w{number}" for number in range(400)]


def text(number: int, changed: int = 0) -> str:
    """A text of forty words; with some of them changed."""
    words = [WORDS[(number * 37 + at * 11) % len(WORDS)] + str(number) for at in range(40)]
    words[:changed] = [f"new{at}" for at in range(changed)]
    return " ".join(words)


@pytest.fixture(scope="session")
def texts() -> list[str]:
    """Texts of which some are near others, some are short and some are empty."""
    rows = [text(number) for number in range(300)]
    rows += [text(number, 1 + number % 3) for number in range(0, 300, 3)]
    rows += ["", "...", "Not found", "not found!", "naïve café déjà vu", "中文文本在这里，还有更多的文字。"]
    return rows


@pytest.fixture
def command():
    """Run the command that the package carries."""

    def run(*args: object, check: bool = True, **more) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "nearprint", *map(str, args)], capture_output=True, text=True, check=check, **more
        )

    return run


@pytest.fixture
def rows(tmp_path, texts):
    """The texts as a file of rows."""
    path = tmp_path / "texts.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for number, one in enumerate(texts):
            file.write(json.dumps({"id": number, "text": one}) + "\n")
    return path


@pytest.fixture
def crawl(tmp_path, texts):
    """The texts as a folder of three files of rows."""
    folder = tmp_path / "crawl"
    folder.mkdir()
    for part in range(3):
        rows = [json.dumps({"id": at, "text": one}) for at, one in enumerate(texts) if at % 3 == part]
        (folder / f"{part}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder
