def add(basket, item, n=1):
    """Puts n of an item in the basket."""
    basket[item] = basket.get(item, 0) + n
    if basket[item] < 1:
        del basket[item]
    return basket
