"""The tables of the read models, one module each: the columns and the fold that fills them."""
