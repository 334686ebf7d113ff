"""The client in asyncio. ``npm run contract`` makes the blocking one, ``_sync``, out of it: edit here."""
