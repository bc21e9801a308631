"""Prints the bits of what the capacity core computes, for a comparison with the compiler off."""

import numpy as np

from gpurush.capacity import compute, fabric, failures
from gpurush.capacity.energising import energise_chips, energise_site
from gpurush.capacity.limits import LIMITS, UNLIMITED, energise_one, uses
from gpurush.capacity.simplex import divisible_optimum


def sites(rng):
    """Yields some random sites as lists of numbers."""
    for _ in range(40):
        chips = int(rng.integers(1, 11))
        unit = rng.choice([8.0, 72.0], chips)
        delivered = np.floor(rng.lognormal(6, 2, chips)) * (rng.random(chips) < 0.8)
        kw, share, value = (
            rng.uniform(0.8, 4, chips),
            rng.choice([0.0, 0.8, 0.85, 1.0], chips),
            rng.lognormal(0, 1, chips),
        )
        ones, use = np.ones(chips), np.zeros((LIMITS, chips))
        uses(kw, 1.25, share, 64.0 * ones, ones, 8.0 * ones, use)
        limit = np.full(LIMITS, UNLIMITED)
        for i in range(LIMITS):
            if rng.random() < 0.6:
                limit[i] = (use[i] @ delivered) * rng.uniform(0.05, 1.1)
        running, shadow, x, dual = np.zeros(chips), np.zeros(LIMITS), np.zeros(chips), np.zeros(LIMITS)
        yield energise_chips(value, use, limit, delivered, unit, running, shadow)
        yield from (running, shadow)
        yield divisible_optimum(value, use, limit, delivered, x, dual)
        yield from (x, dual)
        yield energise_one(float(delivered[0]), np.ascontiguousarray(use[:, 0]), limit, float(unit[0]))
        for racks in (UNLIMITED, float(limit[3])):
            yield energise_site(
                delivered,
                float(limit[0]),
                1.25,
                UNLIMITED,
                float(limit[2]),
                racks,
                kw,
                share,
                unit,
                64.0 * ones,
                value,
                running,
            )
            yield running


def formulas(rng):
    """Yields the closed forms at random arguments."""
    for _ in range(200):
        nodes, rate, write, restart = (float(rng.lognormal(mean, 1)) for mean in (7, -6, 3, 5))
        mttf = 3600.0 * failures.mean_time_to_failure(nodes, rate)
        interval = failures.availability_interval(mttf, write, restart)
        yield (
            mttf,
            interval,
            failures.daly_interval(mttf, write),
            failures.goodput(mttf, write, restart, interval),
        )
        yield (
            failures.effective_time_ratio(mttf, write, restart, interval),
            failures.spare_nodes(nodes * rate, 0.99),
        )
        yield (
            failures.best_goodput(nodes, rate, write, restart),
            failures.at_least_up(18, 16, float(rng.random())),
        )
        yield compute.mfu(8.0 * nodes), fabric.job_speed(float(rng.uniform(0.5, 1)), 0.2)
        yield (
            fabric.fabric_limit(64.0, int(rng.integers(1, 5)), 3.0),
            fabric.switches_in_tier(nodes, 64.0, 3, 2),
        )


def digest():
    """One line of hexadecimal floats per result."""
    rng = np.random.default_rng(11)
    results = [*sites(rng), *formulas(rng)]
    return "\n".join(" ".join(float(number).hex() for number in each) for each in results)


if __name__ == "__main__":
    print(digest())
