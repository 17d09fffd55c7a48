"""Owning one's memory: taking all of it out, bringing talk in, having it forgotten."""
