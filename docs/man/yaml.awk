# SPDX-License-Identifier: BSD-3-Clause
# conf.awk - adit.yaml(5) from docs/config.md, which is printed from the tables that read the file.

BEGIN {
	print ".\\\" Made from docs/config.md."
	print ".Dd December 1, 2026\n.Dt ADIT.YAML 5\n.Os"
	print ".Sh NAME\n.Nm adit.yaml\n.Nd what an adit gateway runs\n.Sh DESCRIPTION"
}

# `code` in bold; nothing at the start of a line is taken for a macro.
function roff(text,	n, part, i, out) {
	gsub(/\\/, "\\e", text)
	n = split(text, part, "`")
	for (i = 1; i <= n; i++) {
		if (i % 2 == 0)
			gsub(/-/, "\\-", part[i])
		out = out (i % 2 == 0 ? "\\fB" part[i] "\\fR" : part[i])
	}
	return out ~ /^[.']/ ? "\\&" out : out
}

# A sentence a line.
function sentences(text,	at) {
	while ((at = match(text, /[.!?] [A-Z`]/)) > 0) {
		print roff(substr(text, 1, at))
		text = substr(text, at + 2)
	}
	print roff(text)
}

function strip(text) {
	gsub(/^ +| +$/, "", text)
	return text
}

function end_table() {
	if (in_table)
		print ".El"
	in_table = 0
}

# A key with value, default and help is a paragraph; any other row is what its titles say.
function row(cell, n,	i, line) {
	print ".It " roff(cell[1])
	if (title[2] == "value") {
		line = cell[2]
		if (cell[3] == "needed")
			line = line "; needed"
		else if (cell[3] != "")
			line = line "; default " cell[3]
		print roff(line) "\n.br"
		sentences(cell[4])
		return
	}
	for (i = 2; i <= n; i++)
		line = line (i > 2 ? ", " : "") title[i] " " cell[i]
	print roff(line)
}

/^# / || /^This page is printed/ { next }

/^## / {
	end_table()
	if (!in_sections++)
		print ".Sh SECTIONS"
	print ".Ss " roff(substr($0, 4))
	next
}

/^\|/ {
	n = split($0, field, "|") - 2
	for (i = 1; i <= n; i++)
		field[i] = strip(field[i + 1])
	if (!in_table) {
		print ".Bl -tag -width Ds"
		in_table = 1
		for (i = 1; i <= n; i++)
			title[i] = field[i]
	} else if (field[1] !~ /^-+$/) {
		row(field, n)
	}
	next
}

/^$/ { was_blank = 1; next }

{
	end_table()
	if (was_blank && had_text == in_sections + 1)
		print ".Pp"
	had_text = in_sections + 1
	was_blank = 0
	sentences($0)
}

END {
	end_table()
	print ".Sh SEE ALSO\n.Xr adit 8 ,\n.Xr aditctl 8"
}
