"""The packed form of archives.

Parquet with a row for each hand, from which every line can be restored byte for byte.
"""
