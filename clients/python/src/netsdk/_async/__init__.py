"""The client, in asyncio. ``_async`` is what is edited: ``npm run build`` makes ``_sync`` out of it."""
