"""The packed form of archives: Parquet, a row for each hand, from which every line can be written again to the byte."""
