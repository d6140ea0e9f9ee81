WIDTH = 32


def line(name, cents):
    """One line of a receipt, the price on the right."""
    p = "%d.%02d" % (cents // 100, cents % 100)
    return name[: WIDTH - len(p) - 1].ljust(WIDTH - len(p)) + p
