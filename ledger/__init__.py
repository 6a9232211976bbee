"""cardledger: an event-sourced ledger of card games."""
