"""Files of bridge clubs: PBN, LIN, USEBIO."""
