"""How much room a record has, and the numbers of accounts.

Sizes inside a record are compiled in; the run counts say how much is used, and a scenario that needs more room is
refused with a sentence. Firms are numbered across all kinds: a firm's number is also its account for USD, and its
account for GPUs that it owns and that are at no site (a maker's stock, a buyer's chips in transit). After the firms
come the sites, as accounts of GPUs, then the foundry and the scrap heap.
"""

LABS, CLOUDS, SISTERS, MAKERS, INTEGRATORS, UTILITIES, INVESTORS = 12, 10, 6, 3, 4, 6, 5
FIRMS, SITES, CHIPS, CONTRACTS, REQUESTS, PROGRAMMES, PROJECTS = 48, 24, 10, 384, 16, 8, 24
PIPELINE, TRANSIT, SERIES, ITEMS, DEALS, ORDERING, ROUNDS = 12, 6, 128, 20, 512, 24, 24
SITE_ACCOUNT = FIRMS
FOUNDRY_GPUS = FIRMS + SITES
SCRAP = FIRMS + SITES + 1
ACCOUNTS = FIRMS + SITES + 2
