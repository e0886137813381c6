"""Tables declared once, and the migrations that make them."""
