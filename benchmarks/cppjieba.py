"""How often cppjieba, which gojieba and nodejieba wrap, cuts Chinese texts as jieba does, and where not.

    npm pack nodejieba && tar xzf nodejieba-*.tgz        # its sources hold those of cppjieba
    pip install jieba==0.42.1
    python benchmarks/cppjieba.py package/submodules/cppjieba samples/zh.jsonl

nearprint cuts as jieba does, to the last word: crates/fingerprint/tests/fingerprint/jieba. A C++ compiler is needed.
"""

import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import jieba

PROGRAM = r"""
#include "cppjieba/Jieba.hpp"
#include <iostream>
int main(int, char **arguments) {
  std::string dict = arguments[1], line;
  cppjieba::Jieba jieba(dict + "/jieba.dict.utf8", dict + "/hmm_model.utf8", dict + "/user.dict.utf8",
                        dict + "/idf.utf8", dict + "/stop_words.utf8");
  while (std::getline(std::cin, line)) {
    std::vector<std::string> words;
    jieba.Cut(line, words, true);
    for (const auto &word : words) std::cout << word << '\x1f';
    std::cout << '\n';
  }
}
"""


def cut_by_cppjieba(folder: Path, texts: list[str]) -> list[list[str]]:
    with tempfile.TemporaryDirectory() as place:
        source, program = Path(place, "cut.cpp"), Path(place, "cut")
        source.write_text(PROGRAM)
        include = [f"-I{folder / path}" for path in ("include", "deps/limonp/include")]
        subprocess.run(["c++", "-O1", "-std=c++17", *include, source, "-o", program], check=True)
        asked = {"input": "\n".join(texts) + "\n", "capture_output": True, "text": True, "check": True}
        lines = subprocess.run([program, folder / "dict"], **asked).stdout.split("\n")
    return [line.split("\x1f")[:-1] for line in lines[: len(texts)]]


def places(words: list[str]) -> dict[tuple[int, int], str]:
    at, found = 0, {}
    for word in words:
        found[at, at + len(word)] = word
        at += len(word)
    return found


def kind(place: tuple[int, int], word: str, theirs: dict[tuple[int, int], str]) -> str:
    inside = [theirs[start, end] for start, end in theirs if place[0] <= start and end <= place[1]]
    if len(word) > 1 and "".join(inside) == word and all(len(one) == 1 for one in inside):
        known = jieba.dt.FREQ.get(word)
        return "a word of the dictionary, which jieba leaves as single characters" if known else "another join"
    return "a number" if any(character.isdigit() or character == "%" for character in word) else "other"


def words_of(path: Path) -> dict[str, int]:
    rows = (line.split(" ") for line in path.read_text(encoding="utf-8").splitlines())
    return {row[0]: int(row[1]) for row in rows}


def main() -> None:
    folder, corpus = map(Path, sys.argv[1:])
    jieba.setLogLevel(60)
    jieba.initialize()
    rows = corpus.read_text(encoding="utf-8").splitlines()
    texts = [json.loads(row)["text"].replace("\n", " ") for row in rows]
    ours = [jieba.lcut(text) for text in texts]
    theirs = cut_by_cppjieba(folder, texts)
    same = sum(a == b for a, b in zip(ours, theirs, strict=True))
    print(f"{same} of {len(texts)} texts are cut alike; {sum(map(len, ours))} words by jieba")
    kinds: collections.Counter[str] = collections.Counter()
    for a, b in zip(ours, theirs, strict=True):
        by_jieba = places(a)
        kinds.update(kind(at, word, by_jieba) for at, word in places(b).items() if at not in by_jieba)
    for name, count in kinds.most_common():
        print(f"{count:>4}  {name}")
    here = words_of(Path(jieba.get_dict_file().name))
    there = words_of(folder / "dict" / "jieba.dict.utf8")
    other = sum(here[word] != there[word] for word in here.keys() & there.keys())
    print(
        f"dictionaries: {len(here.keys() - there.keys())} words are jieba's alone, "
        f"{len(there.keys() - here.keys())} cppjieba's; {other} frequencies differ"
    )


main()
