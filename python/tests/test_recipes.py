"""Recipes: how one is named, what is refused, and files of them."""

import copy
import pickle

import pytest

import nearprint
from nearprint import kernels
from nearprint.integrations.datasets import Fingerprints
from nearprint.integrations.sklearn import NearDuplicates

TEXTS = ["one two three four five", "One two three four five!", "six seven eight nine"]


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: nearprint.Recipe(5), "name is the name of a built-in recipe (str), not 5 (int): write nearprint.Recipe(name='text')"),
        (lambda: nearprint.Recipe({"split": "words"}), "not {'split': 'words'} (dict): write nearprint.Recipe(name='text')"),
        (lambda: nearprint.Recipe("text", 64), "Recipe takes name by place, and what follows by name: write nearprint.Recipe(width=64)"),
        (lambda: nearprint.Recipe(width="64"), "width is 64, 128 or 256, not '64' (str): write nearprint.Recipe(width=64)"),
        (lambda: nearprint.Recipe("zh", dictionary=5), "dictionary is a path, not 5 (int)"),
        (lambda: nearprint.Recipe("zh", stop_words=5), "stop_words is the path of a file of words, or True, not 5 (int)"),
        (lambda: nearprint.Recipe(shingles=5), "a recipe has no key shingles=: did you mean shingle=?"),
        (lambda: nearprint.Recipe(ngram=5), "a recipe has no key ngram=: did you mean shingle=?"),
        (lambda: nearprint.Recipe(widht=64), "a recipe has no key widht=: did you mean width=?"),
        (lambda: nearprint.Recipe(qqqq=1), "a recipe has no key qqqq=: a recipe has name=, description=, "),
        (lambda: nearprint.Recipe(shingle="x"), "shingle is 'x': it takes a whole number"),
        (lambda: nearprint.Recipe(shingle=2.5), "shingle is 2.5: it takes a whole number"),
        (lambda: nearprint.Recipe(case="up"), "case is 'up': it takes `"),
        (lambda: nearprint.Recipe(shingle=None), "shingle is None, and has a value in every recipe: leave it out"),
        (lambda: nearprint.Recipe.from_toml(5), "text is the text of a TOML file (str), not 5 (int)"),
        (lambda: nearprint.Recipe.from_toml("mine.toml"), "not its path, and 'mine.toml' has no key"),
        (lambda: nearprint.Recipe("text").with_width(3), "width is 64, 128 or 256, not 3 (int): write recipe.with_width(128)"),
        (lambda: nearprint.Recipe("text").features(3), "text is one text (str), not 3 (int)"),
    ],
)
def test_a_wrong_argument_is_told_in_one_sentence(call, said):
    with pytest.raises((TypeError, ValueError)) as refused:
        call()
    assert said in str(refused.value) and "\n" not in str(refused.value)
    assert not getattr(refused.value, "__notes__", None)


def test_a_file_of_a_recipe_goes_by_its_path_as_for_the_command(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    mine = nearprint.Recipe.from_toml(nearprint.Recipe("text", shingle=2).to_toml().replace('name = "text"', 'name = "mine"'))
    (tmp_path / "mine.toml").write_text(mine.to_toml())
    (tmp_path / "bad.toml").write_text(mine.to_toml().replace("shingle", "shingel"))
    (tmp_path / "in.jsonl").write_text("".join(f'{{"text":"{text}"}}\n' for text in TEXTS))
    assert nearprint.dedup_files("in.jsonl", "out.jsonl", recipe="mine.toml")["recipe"] == "mine"
    assert nearprint.dedup(TEXTS, recipe="mine.toml").summary["recipe"] == "mine"
    assert nearprint.fingerprint(TEXTS, "mine.toml").tolist() == nearprint.fingerprint(TEXTS, mine).tolist()
    assert nearprint.compare(*TEXTS[:2], "mine.toml").jaccard == nearprint.compare(*TEXTS[:2], mine).jaccard
    assert nearprint.explain(TEXTS[0], "mine.toml").bits == nearprint.explain(TEXTS[0], mine).bits
    for call in (nearprint.groups, nearprint.clusters, nearprint.pairs, nearprint.passages):
        assert len(call(TEXTS, recipe="mine.toml")) == len(call(TEXTS, recipe=mine))
    assert len(nearprint.decontaminate(TEXTS, [{"question": TEXTS[0]}], recipe="mine.toml").removed) == 2
    with nearprint.Store.create("store", recipe="mine.toml") as store:
        assert store.check_and_add(["a", "b"], TEXTS[:2])["outcome"].tolist() == ["new", "duplicate"]
    assert NearDuplicates(recipe="mine.toml").fit_predict(TEXTS).tolist() == [0, 0, -1]
    # What goes to other machines holds the recipe.
    for made in (kernels.Search(recipe="mine.toml").recipe, Fingerprints(recipe="mine.toml")._recipe):
        assert pickle.loads(pickle.dumps(made)) == mine
    assert kernels.Search(recipe="text").recipe == "text"
    with pytest.raises(nearprint.errors.RecipeError, match=r"^recipe: the file 'bad.toml': (.|\n)*shingel"):
        nearprint.dedup(TEXTS, recipe="bad.toml")
    with pytest.raises(nearprint.errors.RecipeError, match='no built-in recipe is called "none.toml", and no file has that name; there are text,'):
        nearprint.dedup(TEXTS, recipe="none.toml")
    with pytest.raises(nearprint.errors.RecipeError, match=r"and a file is: write nearprint.Recipe.from_toml\(open\('mine.toml'\).read\(\)\)"):
        nearprint.Recipe("mine.toml")
    with pytest.raises(TypeError, match=r"write nearprint.dedup\(texts, recipe='mine.toml'\)"):
        nearprint.dedup(TEXTS, recipe=tmp_path.joinpath("mine.toml").relative_to(tmp_path))


def test_a_recipe_is_a_value():
    recipe = nearprint.Recipe("text", shingle=2)
    assert copy.copy(recipe) is recipe and copy.deepcopy([recipe])[0] is recipe
    assert recipe == nearprint.Recipe("text", shingle=2) != nearprint.Recipe("text") and recipe != "text"
    assert hash(recipe) == hash(nearprint.Recipe("text", shingle=2)) and repr(recipe).startswith("<nearprint.Recipe text, id ")
    with pytest.raises(AttributeError):
        recipe.width = 64
    assert nearprint.Recipe("vectors").takes_features and not recipe.takes_features
    assert pickle.loads(pickle.dumps(recipe)).to_toml() == recipe.to_toml()
