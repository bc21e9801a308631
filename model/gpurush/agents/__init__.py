"""The agents: rules for a month of labs, clouds, sisters, and their Mesa views (``views``)."""
