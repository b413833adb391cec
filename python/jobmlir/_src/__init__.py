"""The implementation of the package. Nothing in here is public."""
