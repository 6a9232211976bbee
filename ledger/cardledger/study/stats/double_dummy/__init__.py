"""Double dummy: what a bridge deal is worth with all cards open, and what each card gave up."""
