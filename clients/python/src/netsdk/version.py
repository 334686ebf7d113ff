"""The version of this package, which is also that of the interface it speaks."""

__version__ = "0.13.1"
