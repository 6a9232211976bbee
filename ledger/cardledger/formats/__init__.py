"""Files of other programs and paper: spreadsheets and files of bridge, as matches and evenings, and back."""
