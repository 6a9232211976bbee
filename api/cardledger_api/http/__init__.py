"""HTTP: operations are declared, checked, answered and documented here."""
