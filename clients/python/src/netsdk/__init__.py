"""netsdk."""
