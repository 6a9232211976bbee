"""What is kept beside a ledger and is no event: in a SQLite file of its own, or in tables of the ledger's database."""
