"""The pollution suite: shows the effect of bad input in each format, and that none of it is silently wrong."""
