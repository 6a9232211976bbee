"""Files of bridge clubs: PBN, LIN and USEBIO, read as matches and written from them."""
