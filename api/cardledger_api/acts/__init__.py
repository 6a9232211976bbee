"""Acts: what admins did that is no event of the ledger."""
