PRICES = {"apple": 40, "bread": 310, "tea": 425}


def total(basket):
    """What the basket costs, in cents."""
    t = 0
    for i in basket:
        t = t + PRICES[i] * basket[i]
    return t
