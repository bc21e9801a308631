"""The allocator inside a lab: pure rules, projects, and the three levels; stands on the capacity core."""
