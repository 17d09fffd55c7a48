"""Lets `python -m bot` run the program from a checkout."""

from bot.launch import main

if __name__ == "__main__":
    main()
