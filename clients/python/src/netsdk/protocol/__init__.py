"""The protocol in plain Python: canonical bytes, hashes, signatures, proofs. Nothing but the standard library."""
