"""The action languages that published sources share, as actions: one file a language, pure functions."""
