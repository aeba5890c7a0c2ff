"""What each question has to say as findings."""
