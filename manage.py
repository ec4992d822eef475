"""Django's command line: `python manage.py COMMAND`."""

from deploy.__main__ import main

if __name__ == "__main__":
    main()
