"""Invented texts: words, documents and copies with edits. Nothing about files."""

import random

SEED = 20180118
SYLLABLES = [start + vowel for start in "b c d f g h k l m n p r s t v w br st tr sh".split() for vowel in "aeiou"]
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 900)]
KANA = [chr(code) for code in range(0x3042, 0x3094)]
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
MARKS = [". ", ", ", "; ", " - ", "! ", "? ", " "]
HEADER = "Home News Sport Weather Contact Subscribe to our newsletter "
FOOTER = " All rights reserved. Terms of use and privacy notice."


class Writer:
    """Writes the same texts in every run."""

    def __init__(self, seed=SEED):
        self.random = random.Random(seed)
        self.vocabulary = ["".join(self.random.choices(SYLLABLES, k=self.random.randint(1, 4))) for _ in range(4000)]

    def words(self, count):
        # The square makes some words far more common than others.
        return [self.vocabulary[int(self.random.random() ** 2 * len(self.vocabulary))] for _ in range(count)]

    def document(self, count):
        """A text of `count` words, with capitals and punctuation."""
        text = "".join(
            word + (" " if self.random.random() < 0.9 else self.random.choice(MARKS)) for word in self.words(count)
        ).strip()
        return text.capitalize() + "."

    def other_script(self, count):
        """A text of one of several scripts, Latin with accents among them."""
        letters = self.random.choice(
            [
                HAN,
                KANA,
                HAN + KANA,
                CYRILLIC,
                "אבגדהוזחטיכלמנסעפצקרשת",
                "가나다라마바사아자차카타파하",
                "กขคงจฉชซดตถทธนบปพ",
                "àéîõüçñßœø",
                "αβγδεζηθικλμνξοπρστυφχψω",
            ]
        )
        blank = "" if letters in (HAN, KANA) else " "
        return blank.join("".join(self.random.choices(letters, k=self.random.randint(1, 6))) for _ in range(count))

    def edited(self, text):
        """A near-duplicate or a more distant relative: one kind of edit, sometimes heavy."""
        kind, words = self.random.randrange(8), text.split(" ")
        if kind == 0:
            return text
        if kind == 1:
            return text.upper() if self.random.random() < 0.3 else text.replace(",", "").replace(".", " ")
        if kind == 2:
            return HEADER + text + FOOTER
        if kind == 3:
            half = len(words) // 2
            return " ".join(words[half:] + words[:half])
        if kind == 4:
            return text + " " + self.document(max(1, len(words) // 12))
        if kind == 5:
            return " ".join(words[: max(1, int(len(words) * self.random.uniform(0.4, 0.98)))])
        rate = self.random.choice([0.005, 0.01, 0.02, 0.05, 0.1, 0.25])
        return " ".join(self.random.choice(self.vocabulary) if self.random.random() < rate else word for word in words)

    def rows(self, count, shortest=20, longest=220):
        """Rows in clusters of one to nine, shuffled, with a field of numbers and one of dates."""
        texts = []
        while len(texts) < count:
            base = (self.other_script if self.random.random() < 0.15 else self.document)(
                self.random.randint(shortest, longest)
            )
            texts.append(base)
            size = self.random.choice([0, 0, 0, 1, 1, 2, 3, 8])
            # Some copies are copies of copies, so that groups by links and by stars differ.
            chain = self.random.random() < 0.4
            for _ in range(size):
                texts.append(self.edited(texts[-1] if chain else base))
        self.random.shuffle(texts)
        return [self.row(number, text) for number, text in enumerate(texts[:count])]

    def row(self, number, text):
        row = {"id": f"doc-{number:05}", "text": text, "score": round(self.random.uniform(-10, 100), 3)}
        if self.random.random() < 0.9:
            row["day"] = (
                f"20{self.random.randint(10, 25)}-{self.random.randint(1, 12):02}-{self.random.randint(1, 28):02}"
            )
        return row

    def program(self, lines):
        """Source code of no language in particular."""
        names = self.words(12)
        pick = lambda: self.random.choice(names)
        forms = [
            lambda: f"let {pick()} = {pick()}({pick()}, {self.random.randint(0, 99)});",
            lambda: f"if ({pick()} >= {pick()}[{self.random.randint(0, 9)}]) {{ return {pick()}; }}",
            lambda: f"for {pick()} in {pick()}.{pick()}(): # {pick()} {pick()}",
            lambda: f"    {pick()} += {self.random.random():.3f} * {pick()} /* {pick()} */",
        ]
        return "\n".join(self.random.choice(forms)() for _ in range(lines))

    def codes(self, count, width):
        """Fingerprints around centres, some equal, some empty (0), some far from all."""
        centres = [self.random.getrandbits(width) for _ in range(count // 20)]
        codes = []
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.01:
                codes.append(0)
            elif kind < 0.3:
                codes.append(self.random.getrandbits(width))
            else:
                code = self.random.choice(centres)
                for bit in self.random.sample(range(width), self.random.choice([0, 0, 1, 1, 2, 3, 4, 6])):
                    code ^= 1 << bit
                codes.append(code)
        return codes
