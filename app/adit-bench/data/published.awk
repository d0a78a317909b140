# SPDX-License-Identifier: BSD-3-Clause
# published.awk - rows of a C table from published.csv.
BEGIN { FS = "," }
/^[0-9]/ { printf "{%s, {%s, %s, %s}},\n", $1, $2, $3, $4 }
