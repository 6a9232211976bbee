"""Review: what each decision cost, compared with the best alternative."""
