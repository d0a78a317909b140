/* SPDX-License-Identifier: BSD-3-Clause */
/* protocol.h - what the gateway and its clients agree on: one JSON object a line, both ways.
 *
 *   > {"do": "exits", "workers": true}
 *   < {"ok": true, "data": ...}
 *   < {"ok": false, "error": "words"}
 *
 * Requests are answered in order, one at a time; a client may send the next before it has the answer. */
#pragma once

#define CONTROL_SOCKET      "/run/adit/control" /* where a gateway listens by default */
#define CONTROL_REQUEST_MAX 4096 /* bytes of a request, its newline included */
