"""Files loaded into a campaign: each of them whole, or not at all."""
