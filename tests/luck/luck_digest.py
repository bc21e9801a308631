"""Prints the bits of many draws, for a comparison with the compiler off."""

from gpurush import luck

SEEDS = (0, 7, 2**40 + 3, 2**63 - 1)


def draws() -> list[float]:
    found: list[float] = []
    for seed in SEEDS:
        for month in range(40):
            at = (seed, 17, luck.name("tva"), int(luck.What.study), month)
            found += [float(word) for word in luck.words(*at)]
            found += [luck.uniform(*at), luck.normal(*at), float(luck.bernoulli(0.3, *at))]
            found += [luck.poisson(mean, *at) for mean in (0.1, 2.0, 30.0, 300.0)]
            found += [luck.gamma(shape, *at) for shape in (1.0, 2.5, 40.0)]
            found += [luck.waiting_time(9.0, variation, *at) for variation in (0.0, 0.3, 0.9)]
    found += [luck.normal_quantile(step / 4096.0) for step in range(1, 4096)]
    found += [luck.normal_quantile(10.0**-power) for power in range(1, 300)]
    return found


if __name__ == "__main__":
    print("\n".join(number.hex() for number in draws()))
