/* SPDX-License-Identifier: BSD-3-Clause */
/* echo.h - a subject that only takes packets and gives them back: what the wires cost. */
#pragma once

#include "subject.h"

struct echo {
	const struct wire *from, *to;
	uint16_t burst;
};

/* Fills round and arg. */
void echo_subject(struct echo *e, struct subject *s);
