"""What is published calls people as the ledger decides."""
