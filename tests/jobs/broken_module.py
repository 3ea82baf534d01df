"""A module that fails as it is imported."""

message = "broken"
raise ValueError(message)
