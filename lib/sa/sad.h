/* SPDX-License-Identifier: BSD-3-Clause */
/* sad.h - inbound SAs by SPI, SPI+dst or SPI+dst+src, longest match wins (RFC 4301 4.1), over
 * librte_ipsec's SAD.
 *
 * Two tables per family: workers read one while the control thread changes the other. Changes are
 * remembered and applied to both, one after the other, with a grace period between. A table that
 * is full is made anew, twice as large. */
#pragma once

#include <stdint.h>

#include "sa.h"

struct sad; /* both families */

/* expected: how many SAs the first tables have room for. A family without SAs has no tables.
 * -ENOMEM. */
int sad_open(struct rcu *rcu, uint32_t expected, struct sad **out, struct why *why);

/* After the workers have stopped. */
void sad_close(struct sad *sad);

/* Queues a change for the next sad_publish(). The SA's spec has spi, dst, src and lookup; with
 * lookup SPI it stands in the family of dst, or in both where dst is any. -EEXIST: the key is taken,
 * counting what is queued. -EINVAL: an address that lookup needs is missing. -ENOMEM. */
int sad_add(struct sad *sad, const struct sa_spec *spec, struct sa *sa);
int sad_del(struct sad *sad, const struct sa_spec *spec); /* -ENOENT */

/* Applies what was queued, waits for one grace period: what was deleted is then found by nobody.
 * -ENOMEM: the tables workers see are as before, and the next call tries again. */
int sad_publish(struct sad *sad, struct why *why);
