# SPDX-License-Identifier: BSD-3-Clause
"""Puts tools/trex-profiles where its own files look for each other: first on the path."""
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tools/trex-profiles"))
