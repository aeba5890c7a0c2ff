"""What slides, page and report say: one description, made from the storyboard."""
