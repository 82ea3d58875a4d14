"""Estimators of scikit-learn, by its own checks and in its own tools."""

import pickle

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks
from sklearn.utils.validation import check_is_fitted

import nearprint
from nearprint.integrations.sklearn import NearDuplicates, SimHashVectorizer

# scikit-learn gives estimators of strings the first of these alone: the data of its other checks are numbers.
# The rest of these look at no data.
WITHOUT_DATA = [
    "check_estimator_cloneable",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_valid_tag_types",
]
ESTIMATORS = [SimHashVectorizer(), SimHashVectorizer("words", width=128, threads=1), NearDuplicates(k=6)]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
@pytest.mark.parametrize("check", WITHOUT_DATA)
def test_what_scikit_learn_checks(estimator, check):
    getattr(estimator_checks, check)(type(estimator).__name__, clone(estimator))


@pytest.mark.parametrize("width", [64, 128, 256])
def test_bits_are_those_of_the_fingerprints(width, texts):
    bits = SimHashVectorizer(width=width).fit_transform(texts)
    assert (bits.shape, bits.dtype, bits.max()) == ((len(texts), width), np.uint8, 1)
    worth = [sum(1 << at for at, bit in enumerate(row) if bit) for row in bits.tolist()]
    assert worth == [nearprint.fingerprint(text, width=width) for text in texts]
    k = width // 10
    distances, rows = NearestNeighbors(radius=(k + 0.5) / width, metric="hamming").fit(bits).radius_neighbors()
    near = [
        (a, b, round(width * distance))
        for a in range(len(texts))
        for b, distance in zip(rows[a].tolist(), distances[a].tolist())
        if a < b
    ]
    pairs = nearprint.pairs(nearprint.fingerprint(texts, width=width), k)
    assert sorted(near) == list(zip(*(pairs[name].tolist() for name in ("a", "b", "distance")))) and len(near) > 30


def test_a_row_does_not_depend_on_the_others(texts):
    vectorizer = SimHashVectorizer()
    bits = vectorizer.transform(texts)
    assert np.array_equal(bits[::-1], vectorizer.transform(texts[::-1]))
    assert np.array_equal(bits, np.concatenate([vectorizer.transform([text]) for text in texts[:9]] + [bits[9:]]))
    assert vectorizer.transform([]).shape == (0, 64)
    assert SimHashVectorizer(width=256).transform([]).shape == (0, 256)


def test_parameters(texts):
    recipe = nearprint.Recipe("words", width=128)
    vectorizer = clone(SimHashVectorizer(recipe, threads=2))
    assert vectorizer.get_params() == {"recipe": recipe, "width": None, "threads": 2}
    assert vectorizer.fit_transform(texts).shape[1] == len(vectorizer.get_feature_names_out()) == 128
    again = pickle.loads(pickle.dumps(vectorizer))
    assert np.array_equal(again.transform(texts), vectorizer.transform(texts))
    vectorizer.set_params(width=64, recipe="text")
    assert vectorizer.get_feature_names_out().tolist() == [f"simhashvectorizer{bit}" for bit in range(64)]
    with pytest.raises(ValueError, match="64, 128 or 256"):
        SimHashVectorizer(width=100).fit(texts)
    with pytest.raises(nearprint.errors.RecipeError, match="no-such"):
        SimHashVectorizer("no-such").fit(texts)
    check_is_fitted(vectorizer)
    with pytest.raises(NotFittedError):
        check_is_fitted(NearDuplicates())


@pytest.mark.parametrize("width", [64, 128])
@pytest.mark.parametrize("call", ["fit_transform", "fit_predict"])
def test_what_are_no_texts(call, width):
    estimator = SimHashVectorizer(width=width) if call == "fit_transform" else NearDuplicates(width=width)
    with pytest.raises(ValueError, match="row 1 has no text"):
        getattr(estimator, call)(["a", None])
    with pytest.raises(ValueError, match="row 1 has no text"):
        getattr(estimator, call)(pandas.Series(["a", np.nan], dtype="object"))
    for data in ("one text", [["a"]], np.array([[1.5]]), [1]):
        with pytest.raises(TypeError):
            getattr(estimator, call)(data)


def test_in_the_tools_of_scikit_learn(texts):
    frame = pandas.DataFrame({"text": texts, "n": range(len(texts))})
    columns = ColumnTransformer([("bits", SimHashVectorizer(), "text")], remainder="passthrough")
    made = columns.set_output(transform="pandas").fit_transform(frame)
    assert made.columns.tolist()[:1] == ["bits__simhashvectorizer0"] and made.shape == (len(texts), 65)
    labels = [len(text) > 100 for text in texts]
    search = GridSearchCV(
        make_pipeline(SimHashVectorizer(), LogisticRegression()), {"simhashvectorizer__width": [64, 128]}, cv=2
    )
    assert search.fit(texts, labels).predict(texts).shape == (len(texts),)


@pytest.mark.parametrize("width", [64, 256])
def test_labels_are_those_of_clusters(width, texts):
    rows = ["", *texts, "", "..."]
    k = width // 10
    clusterer = NearDuplicates(k, width=width)
    labels = clusterer.fit_predict(rows)
    assert clusterer.labels_ is labels and labels.dtype == np.int64
    full = [row for row, text in enumerate(rows) if nearprint.fingerprint(text, width=width)]
    expected = nearprint.clusters(nearprint.fingerprint([rows[row] for row in full], width=width), k)
    assert labels[full].tolist() == expected.tolist() and expected.max() > 30
    assert {labels[row] for row in range(len(rows)) if row not in full} == {-1}
    assert NearDuplicates().fit([]).labels_.tolist() == []


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: NearDuplicates(similarity=0.9), "NearDuplicates has no argument similarity=: it goes by bits, k=; "),
        (lambda: NearDuplicates(thread=2), "NearDuplicates has no argument thread=: did you mean threads=?"),
        (lambda: SimHashVectorizer(bits=64), "SimHashVectorizer has no argument bits=: did you mean width=?"),
        (lambda: NearDuplicates(k=-1).fit(["a"]), "not -1 (int): write nearprint.integrations.sklearn.NearDuplicates(k=3)"),
        (lambda: NearDuplicates().set_params(k="3").fit(["a"]), "write nearprint.integrations.sklearn.NearDuplicates(k=3)"),
        (lambda: NearDuplicates(recipe=3).fit(["a"]), "recipe is the name of a recipe, "),
        (lambda: SimHashVectorizer(width="64").fit(["a"]), "write nearprint.integrations.sklearn.SimHashVectorizer(width=64)"),
        (lambda: SimHashVectorizer(threads=0).transform(["a"]), "threads is a number of threads, at least one, not 0"),
        (lambda: SimHashVectorizer().transform(pandas.Series([1, 2])), "X: texts are strings, not Int64: convert this column"),
    ],
)
def test_a_wrong_parameter_is_told_in_one_sentence(call, said):
    with pytest.raises((TypeError, ValueError)) as refused:
        call()
    assert said in str(refused.value)
