"""What the command line does beside scoring."""
