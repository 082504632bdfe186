"""From statistics and rules to parameters."""
