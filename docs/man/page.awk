# SPDX-License-Identifier: BSD-3-Clause
# page.awk - awk -f page.awk HELP TEMPLATE: fills the rows of a --help into a man page in mdoc(7).
#
#   @rows options       the section of the help whose title begins so, as a list
#   @more --check       behind it: lines that this row has beyond what the help says
#   @end                ends the rows

function fail(what) {
	print "page.awk: " FILENAME ": " what >"/dev/stderr"
	failed = 1
	exit 1
}

# "-c, --config FILE" in mdoc.
function item(name,	n, word, i, w, comma, out, after_flag) {
	n = split(name, word, " ")
	for (i = 1; i <= n; i++) {
		w = word[i]
		comma = sub(/,$/, "", w) ? " ," : ""
		if (w ~ /^-/)
			w = "Fl " substr(w, 2)
		else if (w ~ /^\[[A-Z]+\.\.\.\]$/)
			w = "Op Ar " tolower(substr(w, 2, length(w) - 5)) " ..."
		else if (w ~ /^[A-Z]+$/)
			w = "Ar " tolower(w)
		else if (after_flag || w !~ /^[0-9]+$/)
			w = (after_flag ? "Li " : "Cm ") w
		after_flag = w ~ /^Fl/
		out = out " " w comma
	}
	return ".It" out
}

# A sentence a line.
function sentences(text,	at) {
	gsub(/\\/, "\\e", text)
	while ((at = match(text, /[.!?] [A-Z]/)) > 0) {
		print substr(text, 1, at)
		text = substr(text, at + 2)
	}
	print text
}

function find_section(title,	s) {
	for (s = 1; s <= n_sections; s++)
		if (index(section[s], title) == 1)
			return s
	fail("the help has no section " title)
}

function end_rows(	i, name) {
	print ".Bl -tag -width Ds"
	for (i = 1; i <= rows[current]; i++) {
		name = row_name[current, i]
		print item(name)
		sentences(row_text[current, i])
		for (word in more)
			if (index(" " name " ", " " word " ") > 0) {
				printf "%s", more[word]
				delete more[word]
			}
	}
	for (word in more)
		fail("the help has no row " word)
	print ".El"
	current = 0
}

FNR == NR && /^[^ ].*:$/ {
	section[++n_sections] = substr($0, 1, length($0) - 1)
	next
}

FNR == NR && n_sections > 0 && /^ / {
	line = $0
	sub(/^ +/, "", line)
	at = index(line, "  ")
	if (at > 0) {
		i = ++rows[n_sections]
		row_name[n_sections, i] = substr(line, 1, at - 1)
		line = substr(line, at)
		sub(/^ +/, "", line)
		row_text[n_sections, i] = line
	} else {
		row_text[n_sections, i] = row_text[n_sections, i] " " line
	}
	next
}

FNR == NR { next }

/^@rows / { current = find_section(substr($0, 7)); word = ""; next }
/^@more / { word = substr($0, 7); more[word] = ""; next }
/^@end$/ { end_rows(); next }
current && word == "" { fail("a line before @more: " $0) }
current { more[word] = more[word] $0 "\n"; next }
{ print }

END {
	if (!failed && current)
		fail("@end is missing")
}
