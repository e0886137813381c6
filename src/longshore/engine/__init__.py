"""The library door: parse a document without account, store or port."""
