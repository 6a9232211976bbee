"""What can be learned from the record: statistics, archives, analyses."""
