"""Reception: whose a received interchange is, and whether it was received before."""
