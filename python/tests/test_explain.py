"""How a fingerprint comes about, from Python."""

import pytest

import nearprint

TEXT = "to be or not to be, that is the question"


@pytest.mark.parametrize("recipe", ["text", "words", "chars-5", "zh", "ja", "python-128"])
def test_the_explanation_is_of_the_fingerprint(recipe):
    for width in (64, 128, 256):
        why = nearprint.explain(TEXT, recipe, width=width)
        assert int(why.fingerprint, 16) == nearprint.fingerprint(TEXT, recipe, width=width)
        rule = (lambda total: total >= 0) if recipe == "python-128" else (lambda total: total > 0)
        assert why.bits == "".join("01"[rule(total)] for total in why.sums)
        for place in (0, width - 1):
            votes = [one.weight if one.bits[place] == "1" else -one.weight for one in why.features]
            assert sum(votes) == why.sums[place]


def test_features_with_weights_and_with_bits():
    features = {"x": 0.5, "y": -1.25}
    why = nearprint.explain(features)
    assert int(why.fingerprint, 16) == nearprint.fingerprint(features, "vectors")
    assert (why.tokens, why.flags, why.features[1].feature) == ([], ["dominant"], "y")
    cities = nearprint.explain({"上海": ("01011001", 45.11), "北京": ("11001011", 32.09)})
    assert cities.sums == pytest.approx([-13.02, 77.2, -77.2, 13.02, 77.2, -77.2, -13.02, 77.2])
    assert (cities.bits, cities.fingerprint) == ("01011001", "59")
    zero = {"a": ("1", 1), "b": ("0", 1)}
    assert (nearprint.explain(zero).bits, nearprint.explain(zero, non_negative=True).bits) == ("0", "1")


def test_what_cannot_be_explained():
    for document, said in [
        ({"a": ("101", 1), "b": ("10", 1)}, 'feature "b" has 2 bits'),
        ({"a": ("121", 1)}, 'feature "a": expected binary digits'),
        ({"a": ("101", float("nan"))}, "weights are finite numbers"),
        ({"a": float("inf")}, "weights are finite numbers"),
    ]:
        with pytest.raises(nearprint.errors.InputError, match=said):
            nearprint.explain(document)
    for arguments, said in [
        (({"a": ("101", 1)}, "vectors"), "leave recipe and width out"),
        (({"a": ("101", 1), "b": 2.0},), "give bits for every feature"),
        (({"a": 1.0}, "text"), "takes texts"),
        (("a", "vectors"), "takes features"),
    ]:
        with pytest.raises(ValueError, match=said):
            nearprint.explain(*arguments)
    with pytest.raises(TypeError, match="an explanation is made by explain"):
        nearprint.Explanation(None)
