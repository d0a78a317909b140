# SPDX-License-Identifier: BSD-3-Clause
"""What ndr.py is made of: searches, trials, limits, the lab, and reports."""
