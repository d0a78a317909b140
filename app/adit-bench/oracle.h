/* SPDX-License-Identifier: BSD-3-Clause */
/* oracle.h - ESP by another path: OpenSSL's EVP and RFC 4303 read once more. It makes what the far end
 * would have sent, and opens what a gateway sends. Shares no code with the rooms it judges. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "suite.h"

#define ORACLE_OUTER_LEN 20 /* IPv4 */
#define ORACLE_GROWTH    96 /* an ESP packet is longer than its inner packet by less than this */

struct oracle; /* keys of n SAs, ready; one thread at a time */

int oracle_open(const struct suite *suite, uint32_t n_sas, struct oracle **out, struct why *why);
void oracle_close(struct oracle *o);

/* Writes the IPv4 packet that carries inner (an IPv4 packet, not inside at) by the n-th SA; its length.
 * Addresses and SPI in network order. */
uint16_t oracle_seal(struct oracle *o, uint32_t n, uint32_t src, uint32_t dst, uint32_t spi,
	uint32_t seq, const uint8_t *inner, uint16_t inner_len, uint8_t *at);

/* Opens the ESP packet (from its outer IPv4 header on) in place by the n-th SA: *inner points to what
 * was inside. The length of that, or 0: it is not authentic, or not as RFC 4303 has it. */
uint16_t oracle_unseal(struct oracle *o, uint32_t n, uint8_t *esp, uint16_t len, uint8_t **inner);

/* Bytes of the ESP packet of an inner packet of this length. */
uint16_t oracle_sealed_len(const struct suite *suite, uint16_t inner_len);
