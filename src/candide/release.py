"""The release, told without looking for the installed package, which takes as long as a small model to be written."""

RELEASE = "0.2.0"
