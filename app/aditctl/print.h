/* SPDX-License-Identifier: BSD-3-Clause */
/* print.h - what a gateway told, for people. Each takes the data of the request of that name. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

void print_sa(const json_t *data, bool all);
void print_exits(const json_t *data, bool all); /* otherwise only those that were taken */
void print_workers(const json_t *data, bool all);
void print_crypto(const json_t *data, bool all);
void print_ports(const json_t *data, bool all);
void print_policy(const json_t *data, bool all);
