/* SPDX-License-Identifier: BSD-3-Clause */
/* qat_hint.h - inside the room: what to do where the EAL has no QAT device. */
#pragma once

#include "why.h"

/* Looks at the PCI devices under sysfs ("/sys/bus/pci/devices") and says in why which QAT functions
 * are there, what drives them, and how to give them to us. Returns -ENODEV. */
int qat_hint(const char *sysfs, struct why *why);
