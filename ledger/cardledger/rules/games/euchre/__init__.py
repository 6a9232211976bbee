"""Euchre: one side makes trump and must take three of five tricks; the two jacks of the trump colour are highest."""
