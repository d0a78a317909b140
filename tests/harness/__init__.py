# SPDX-License-Identifier: BSD-3-Clause
"""Runs adit between what a test feeds it and what it sends, and keeps its books."""
