"""Tools of the repository; nothing here is shipped."""
