/* SPDX-License-Identifier: BSD-3-Clause */
/* view.c - what the views say in the same way. */
#include "view.h"

#include <inttypes.h>

json_t *whole(uint64_t n)
{
	return n <= INT64_MAX ? json_integer((json_int_t)n) : json_sprintf("%" PRIu64, n);
}

json_t *whole_or_none(json_t *array, int rc)
{
	if (rc == 0)
		return array;
	json_decref(array);
	return NULL;
}
