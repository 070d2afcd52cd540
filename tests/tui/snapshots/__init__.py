"""The main screens as pictures: drawn by the app, compared with the ones that were looked at."""
