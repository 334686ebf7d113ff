"""The client, in asyncio. Edit only this package: ``npm run build`` generates ``_sync`` from it."""
