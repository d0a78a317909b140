# SPDX-License-Identifier: BSD-3-Clause
"""What a run found, as JSON with every trial, CSV, a table, and the chart that adit-bench draws too.

A run is {"about": …, "columns": [{"name", "absent": why or nothing}], "points": [point]}; a point is
{"column", "size", "goal", "pps", "gbps", "upper_pps", "limited_by", "trials": [trial]}, where a pps of
None says that not even the lowest rate met the goal."""
import csv
import json
import subprocess

import adit_traffic as traffic

FIELDS = ("column", "size", "goal", "pps", "gbps", "upper_pps", "limited_by")
COLOURS = {"openssl": "#c44e52", "aesni_mb": "#4c72b0", "qat": "#55a868"}
OTHER_COLOUR = "#8172b3"
PUBLISHED = {"openssl": "openssl", "aesni_mb": "aesni", "qat": "qat"}  # provider: its column there


def gbps(pps, directions):
    """Of inner IP packets in all directions; of each [(bytes, weight)]."""
    sizes = [part for sizes in directions for part in sizes]
    return pps * 8e-9 * sum(size * weight for size, weight in sizes) / sum(weight for _, weight in sizes)


def write_json(run, path):
    with open(path, "w") as f:
        json.dump(run, f, indent=1)
        f.write("\n")


def write_csv(run, path):
    with open(path, "w", newline="") as f:
        rows = csv.DictWriter(f, FIELDS, extrasaction="ignore", lineterminator="\n")
        rows.writeheader()
        rows.writerows(run["points"])


def _cell(point):
    if point["pps"] is None:
        return "none"
    return "%.3f %s" % (point["gbps"], point["limited_by"])


def table(run):
    """Gbps of inner IP packets by size and column, a block for each goal."""
    lines = []
    for goal in dict.fromkeys(p["goal"] for p in run["points"]):
        found = {(p["size"], p["column"]): p for p in run["points"] if p["goal"] == goal}
        names = [c["name"] for c in run["columns"]]
        lines.append("%s, Gbps of inner IP packets, and what limited it" % goal.upper())
        lines.append("".join(["%-10s" % "bytes"] + ["%22s" % name for name in names]))
        for size in dict.fromkeys(p["size"] for p in run["points"]):
            lines.append("".join(["%-10s" % size] + [
                "%22s" % (_cell(found[size, name]) if (size, name) in found else "-") for name in names]))
        lines.append("")
    lines += ["%s is absent: %s" % (c["name"], c["absent"]) for c in run["columns"] if c.get("absent")]
    return "\n".join(lines).rstrip() + "\n"


def _lines(run, goal):
    """(title, colour, dash, [(size, gbps)]) of what was measured, then of what was published."""
    for published in (False, True):
        for column in run["columns"]:
            name = column["name"]
            if published and name not in PUBLISHED:
                continue
            points = (list(zip(traffic.sizes(), traffic.published()[PUBLISHED[name]])) if published else
                      [(p["size"], p["gbps"]) for p in run["points"]
                       if p["column"] == name and p["goal"] == goal and p["gbps"] and isinstance(p["size"], int)])
            if points:
                yield ("%s, %s" % (name, "published 2019" if published else "adit"),
                       COLOURS.get(name, OTHER_COLOUR), 2 if published else 1, points)


def chart(run, path):
    """Draws PATH.svg; raises OSError where gnuplot is not there or fails. No point, no chart: False."""
    goal = run["points"][0]["goal"] if run["points"] else None
    lines = list(_lines(run, goal))
    if not any(dash == 1 for _, _, dash, _ in lines):
        return False
    script = ["$line%d << END\n%s\nEND" % (i, "\n".join("%d %f" % point for point in points))
              for i, (_, _, _, points) in enumerate(lines)]
    script += ["set terminal svg size 900,500 noenhanced background 'white' font 'sans-serif,12'",
               "set output '%s'" % path.replace("'", "''"),
               "set title '%s by TRex'" % goal.upper(), "set xlabel 'bytes of the inner IP packet'",
               "set ylabel 'Gbps of inner IP packets (logarithmic)'", "set logscale y", "set xrange [0:1500]",
               "set xtics 100", "set grid", "set key outside right top",
               "plot " + ", ".join("$line%d smooth unique with linespoints linecolor rgb '%s' linewidth 2 "
                                   "pointtype 7 pointsize 0.6 dashtype %d title '%s'" % (i, colour, dash, title)
                                   for i, (title, colour, dash, _) in enumerate(lines))]
    done = subprocess.run(["gnuplot"], input="\n".join(script) + "\n", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode:
        raise OSError("gnuplot: %s" % done.stderr.strip())
    return True
