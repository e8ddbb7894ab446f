"""Fitting: the weight tables of extraction and of line choice, made anew from labelled messages and sessions."""
