"""The pages: each a question answered by a pure function from the opened studies and what the user chose."""
