"""What the file of a slim model holds beside what every model file does: tables in whole numbers, and their packing."""
