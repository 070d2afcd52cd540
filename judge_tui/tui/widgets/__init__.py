"""What screens are put together from. Nothing here knows of campaigns."""
