"""Compiled kernels over UTF-8 bytes and offsets; they import nothing else of this project."""
