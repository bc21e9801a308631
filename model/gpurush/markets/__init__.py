"""The markets: GPUs, leases, power, capital, transfers. They know accounts and records, never agent classes."""
