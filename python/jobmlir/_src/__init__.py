"""Where the work is done. Nothing in here is public."""
