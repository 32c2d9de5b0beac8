"""What stages measure with: pure functions over instructions, actions and pictures."""
