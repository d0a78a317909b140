# SPDX-License-Identifier: BSD-3-Clause
"""A choice from a matrix in which every pair of values of two of its dimensions comes up."""
import itertools


def pairwise(*dimensions):
    """Greedy: each row takes the most pairs that no row before it had."""
    rows = list(itertools.product(*dimensions))
    places = list(itertools.combinations(range(len(dimensions)), 2))

    def pairs(row):
        return {(a, b, row[a], row[b]) for a, b in places}
    missing, chosen = set().union(*map(pairs, rows)), []
    while missing:
        best = max(rows, key=lambda row: len(pairs(row) & missing))
        chosen.append(best)
        missing -= pairs(best)
    return chosen
