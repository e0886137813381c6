"""Mailboxes of partners on the SFTP server of this installation."""
