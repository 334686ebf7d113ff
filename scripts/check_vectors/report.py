"""Counts what was compared, and keeps what differed."""

failures = []
count = 0


def expect(actual, expected, *where):
    global count
    count += 1
    if actual != expected or type(actual) is not type(expected):
        failures.append(f"{' / '.join(map(str, where))}: {actual!r} instead of {expected!r}")


class Refused(Exception):
    pass


def refused(function, *arguments):
    try:
        function(*arguments)
    except Refused:
        return True
    return False
