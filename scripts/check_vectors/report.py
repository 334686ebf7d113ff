"""Counts what was compared, and keeps what differed."""

failures = []
count = 0


def expect(actual, expected, *where):
    global count
    count += 1
    if actual != expected or type(actual) is not type(expected):
        failures.append(f"{' / '.join(map(str, where))}: {actual!r} instead of {expected!r}")


def refused(error, function, *arguments):
    """True if the function refuses its arguments with this kind of error."""
    try:
        function(*arguments)
    except error:
        return True
    return False
