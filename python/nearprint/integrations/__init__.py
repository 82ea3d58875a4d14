"""nearprint where people already work: one module for each library, which it needs and imports."""
