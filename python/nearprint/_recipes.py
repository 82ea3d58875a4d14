"""A recipe as callers name one."""

from __future__ import annotations

from nearprint._native import Recipe


def recipe_of(recipe: str | Recipe) -> Recipe:
    """The recipe of this name, or the recipe itself."""
    return recipe if isinstance(recipe, Recipe) else Recipe(recipe)
