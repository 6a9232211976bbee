"""Recording: the ledger takes in events, judges them and stores them."""
