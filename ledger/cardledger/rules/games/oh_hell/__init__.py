"""Oh Hell: every player bids exactly how many tricks to take, in hands that change size."""
