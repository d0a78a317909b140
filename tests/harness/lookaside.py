# SPDX-License-Identifier: BSD-3-Clause
"""A lookaside device on a machine without a card: crypto_scheduler in multi-core mode, as qat. It
answers later, from an lcore of its own."""

FIRST_LCORE = 8  # above all workers of the tests


def crypto(schedulers=1, **more):
    """The crypto section."""
    return {"provider": "qat",
            "devices": {"qat": [f"crypto_scheduler{n}" for n in range(schedulers)]}, **more}


def vdevs(schedulers=1):
    made = []
    for n in range(schedulers):
        made += [f"crypto_aesni_mb{n}",
                 f"crypto_scheduler{n},worker=crypto_aesni_mb{n},mode=multi-core,ordering=enable,"
                 f"corelist={FIRST_LCORE + n}"]
    return made
