"""What reviewers decided, applied while records are read: which edits hold (in_force), what they do to a record
(applying, blackening), a shard with edits (edited_reading), pictures that several records show (shared_pictures), what
came of each edit (telling). docs/edits.md."""
