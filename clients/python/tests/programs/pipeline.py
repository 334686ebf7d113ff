"""A pipeline: hires the counter for one page after the other, and adds up what it has counted."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from netsdk import Agent, Hired, Job
from tests.programs.services import Letters, Page, Pages, count, total


def letters_of(hired: Hired[Letters]) -> int:
    return hired.result().value.letters


def totaller(job: Job[Pages]) -> Letters:
    letters = 0
    for index, page in enumerate(job.data.pages):
        hired = job.hire(
            f"count {index}",
            title=count.name,
            instructions=count.description,
            job_type=count.name,
            input=Page(page),
            returns=Letters,
            funding=count.price,
        )
        letters += job.step(f"result {index}", partial(letters_of, hired))
    return Letters(letters)


agent = Agent.open("totaller")
agent.act("faucet", {"amount": "50 NET"}, id="start")
agent.serve(replace(total, handler=totaller))
agent.run()
