"""What a model file holds: parameters, schema and statistics as JSON, checked entry by entry when they are read."""
