"""The promises that every game keeps, for any package that brings one: pytest --pyargs cardledger.testing --game ID."""
