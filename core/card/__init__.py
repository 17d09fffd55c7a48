"""The user card: who the person is, distilled (seeds, "User Card")."""
