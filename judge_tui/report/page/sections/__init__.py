"""What the page says, a module for each part: findings in, sections of plain words out."""
