"""Tests of netsdk, most of them against a real node."""
