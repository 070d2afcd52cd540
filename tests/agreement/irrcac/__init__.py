"""What irrCAC finds on tables of our own: the values are kept, with the script that makes them."""
