"""The services of the market: workers and buyers import them."""

from __future__ import annotations

from dataclasses import dataclass

from netsdk import define_service


@dataclass
class Page:
    page: str


@dataclass
class Pages:
    pages: list[str]


@dataclass
class Letters:
    letters: int


#: Counts the letters of a page.
count = define_service(name="count-letters", input=Page, output=Letters, price="10 NET")
#: Adds up the letters of several pages.
total = define_service(name="total-letters", input=Pages, output=Letters, price="40 NET")
