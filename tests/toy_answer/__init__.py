"""A question of its own folder: the least that one consists of."""
