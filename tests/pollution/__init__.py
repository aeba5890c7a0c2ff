"""The pollution suite: what bad input costs, format by format, and that nothing of it is silently wrong."""
