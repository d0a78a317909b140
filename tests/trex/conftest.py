# SPDX-License-Identifier: BSD-3-Clause
"""Puts tools/trex-profiles where its own files look for each other, and where TRex would be a stand-in."""
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tools/trex-profiles"), str(Path(__file__).with_name("standin"))]
