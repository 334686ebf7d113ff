"""A paid service: reads the page once, pays its author once, and answers."""

from __future__ import annotations

from dataclasses import replace

import httpx

from netsdk import Agent, Job
from tests.programs.services import Letters, Page, count


def counter(job: Job[Page]) -> Letters:
    def read() -> int:
        return len(httpx.get(job.data.page, timeout=None).raise_for_status().text)

    letters = job.step("read", read)
    print("counted", job.order_id)
    job.act("royalty", "transfer", {"to": "author", "amount": "1 NET"})
    return Letters(letters)


agent = Agent.open("counter")
agent.act("faucet", {"amount": "5 NET"}, id="start")
agent.serve(replace(count, handler=counter))
agent.run()
