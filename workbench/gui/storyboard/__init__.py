"""The storyboard in the window: slides as they are exported and presented."""
