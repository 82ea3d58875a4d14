"""One question through every face of nearprint: what check-answers is made of."""
