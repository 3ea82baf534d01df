"""VADER, exactly and compiled: what ``vaderSentiment`` computes, bit for bit, in linear time.

``lexicon`` makes the tables, ``emoji`` puts words for emoji, ``tokens`` cuts texts into words that
VADER may know, ``valence`` gives the known ones their valences, ``polarity`` sums these up.
"""
