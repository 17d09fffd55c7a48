"""What memory's files mean to a copy of them elsewhere: how two versions are joined, and what a commit is called."""
