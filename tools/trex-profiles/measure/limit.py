# SPDX-License-Identifier: BSD-3-Clause
"""What kept a result from being higher: the gateway, the generator, the link, or the highest rate asked for."""
import adit_traffic as traffic

GATEWAY, GENERATOR, LINK, MAX = "gateway", "generator", "link", "max"
GAP = 20  # bytes of preamble and gap around a frame
NEAR = 0.01  # a result this close to a bound has met it, or the search's width if that is more


def link_rate(bits, directions, algorithm, outer):
    """Packets a second of all directions together that the links carry; 0: the links' speed is not known.

    directions: of each, [(bytes of the inner IP packet, weight)]; the fuller one is full first. The link
    between the gateways is as fast as the generator's, and carries longer frames."""
    whole = sum(weight for sizes in directions for _, weight in sizes)
    fullest = max(sum(weight * (traffic.frame_bytes(traffic.esp_length(size, algorithm, outer)) + GAP)
                      for size, weight in sizes) for sizes in directions)
    return int(bits / 8 * whole / fullest)


def limited_by(result, high, link=0, ceiling=None):
    """Of a Result of a search up to the rate high. ceiling: what the generator alone came to, in a self-loop."""
    near = 1 - max(NEAR, result.goal.width)
    if result.blocked:
        return GENERATOR
    if result.lower is not None:
        if link and result.lower >= link * near:
            return LINK
        if ceiling and result.lower >= ceiling * near:
            return GENERATOR
    return MAX if result.upper is None and result.lower == high else GATEWAY
