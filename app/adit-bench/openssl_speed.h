/* SPDX-License-Identifier: BSD-3-Clause */
/* openssl_speed.h - what OpenSSL does alone, by its own measurement: openssl speed. */
#pragma once

#include <stdbool.h>

#include "suite.h"

/* Gbps of inner packets of this size, whose text is as long as in ESP; from a second of CPU time for each
 * algorithm. A cipher and an HMAC are run one after the other, as on a packet. 0: there is no openssl, or
 * it cannot. */
double openssl_speed(const struct suite *suite, unsigned size, bool is_decrypting);
