# SPDX-License-Identifier: BSD-3-Clause
"""What a run found, as JSON with every trial, CSV, a table, and the chart that adit-bench draws too.

A run is {"about": …, "columns": [{"name", "absent": why or nothing}], "points": [point], "unfinished":
[{"column", "size", "trials"}]}; a point is {"column", "size", "goal", "pps", "gbps", "upper_pps",
"limited_by", "trials": [trial]}, where a pps of None says that not even the lowest rate met the goal."""
import contextlib
import csv
import json
import os
import subprocess
import tempfile

import adit_traffic as traffic

FIELDS = ("column", "size", "goal", "pps", "gbps", "upper_pps", "limited_by")
COLOURS = {"openssl": "#c44e52", "aesni_mb": "#4c72b0", "qat": "#55a868"}
OTHER_COLOUR = "#8172b3"
PUBLISHED = {"openssl": "openssl", "aesni_mb": "aesni", "qat": "qat"}  # provider: its column there


def gbps(pps, directions):
    """Of inner IP packets in all directions; of each [(bytes, weight)]."""
    sizes = [part for sizes in directions for part in sizes]
    return pps * 8e-9 * sum(size * weight for size, weight in sizes) / sum(weight for _, weight in sizes)


def check_output(name, is_replaced):
    """Raises TrafficError where NAME.json and its like are there, or could not be made when the run is over."""
    folder, base = os.path.split(name)
    if not base:
        raise traffic.TrafficError("--output %s: the beginning of a file's name, as %stable" % (name, name))
    for path in (name + ending for ending in (".json", ".csv", ".svg")):
        if os.path.exists(path) and not is_replaced:
            raise traffic.TrafficError("%s is there already; say another --output, or --replace" % path)
        if os.path.isdir(path):
            raise traffic.TrafficError("%s is a folder; say another --output" % path)
    try:
        with tempfile.NamedTemporaryFile(dir=folder or ".", prefix=base + ".json."):
            pass
    except OSError as e:
        raise traffic.TrafficError("--output %s: %s; it wants a folder that is there and can be written to"
                                   % (name, e.strerror))


@contextlib.contextmanager
def _whole(path):
    """A file that takes the name when it is complete: what was there before stays until then."""
    part = "%s.part" % path
    with open(part, "w", newline="") as f:
        yield f
    os.replace(part, path)


def write_json(run, path):
    with _whole(path) as f:
        json.dump(run, f, indent=1)
        f.write("\n")


def write_csv(run, path):
    with _whole(path) as f:
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
    begun = {p["column"] for p in run["points"]}
    lines += ["%s %s: %s" % (c["name"], "ended early" if c["name"] in begun else "is absent", c["absent"])
              for c in run["columns"] if c.get("absent")]
    lines += ["%s, %s bytes, is unfinished: %d trials are in the JSON" % (u["column"], u["size"], len(u["trials"]))
              for u in run["unfinished"]]
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
    most = 1500 if max(size for *_, points in lines for size, _ in points) <= 1500 else 9300
    script = ["$line%d << END\n%s\nEND" % (i, "\n".join("%d %f" % point for point in points))
              for i, (_, _, _, points) in enumerate(lines)]
    script += ["set terminal svg size 900,500 noenhanced background 'white' font 'sans-serif,12'",
               "set output '%s'" % path.replace("'", "''"),
               "set title '%s by TRex'" % goal.upper(), "set xlabel 'bytes of the inner IP packet'",
               "set ylabel 'Gbps of inner IP packets (logarithmic)'", "set logscale y", "set xrange [0:%d]" % most,
               "set xtics %d" % (most // 15), "set grid", "set key outside right top",
               "plot " + ", ".join("$line%d smooth unique with linespoints linecolor rgb '%s' linewidth 2 "
                                   "pointtype 7 pointsize 0.6 dashtype %d title '%s'" % (i, colour, dash, title)
                                   for i, (title, colour, dash, _) in enumerate(lines))]
    done = subprocess.run(["gnuplot"], input="\n".join(script) + "\n", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode:
        raise OSError("gnuplot: %s" % done.stderr.strip())
    return True
