"""What goes out: the output folder, its tables and its record."""
