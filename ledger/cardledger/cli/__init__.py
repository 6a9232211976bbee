"""The command line: the command `cardledger`, one module for each group of commands."""
