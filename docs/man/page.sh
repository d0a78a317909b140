#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# page.sh PROGRAM TEMPLATE - prints the program's man page: the template with the rows of PROGRAM --help.
set -eu
"$1" --help | awk -f "$(dirname "$0")/page.awk" - "$2"
