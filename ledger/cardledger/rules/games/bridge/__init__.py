"""Contract bridge: an auction decides the contract, the declarer plays it with the cards of dummy face up."""
