"""The client, blocking: made out of ``_async`` by ``npm run contract``, which is where to edit."""
