"""A bar while a program runs: on a terminal, and in notebooks."""

import html
import sys
import time

AFTER, EVERY, WIDTH = 1.0, 0.1, 20
_shown = True


def show_progress(shown):
    """Whether runs that take longer than a second show a bar. They do at first."""
    global _shown
    _shown = bool(shown)


def _notebook():
    """The shell of a notebook; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell if shell is not None and hasattr(shell, "kernel") else None


class Progress:
    """The bar of one run. How long a run will take is not known: the bar moves back and forth, and the seconds count."""

    def __init__(self, name):
        self.name, self.begin, self.next = name, time.monotonic(), 0.0
        self.display, self.is_shown = None, False
        self.next = self.begin + AFTER

    def step(self):
        """Shows the bar, if it is time to."""
        now = time.monotonic()
        if now < self.next or not _shown:
            return
        self.next = now + EVERY
        seconds = now - self.begin
        if _notebook() is not None:
            self._in_notebook(f"<progress></progress> {html.escape(self.name)}: {seconds:.1f} s")
        elif sys.stderr is not None and sys.stderr.isatty():
            place = int(10 * seconds) % (2 * WIDTH)
            place = min(place, 2 * WIDTH - place)
            bar = " " * place + "###" + " " * (WIDTH - place)
            sys.stderr.write(f"\r{self.name} [{bar}] {seconds:.1f} s ")
            sys.stderr.flush()
            self.is_shown = True

    def _in_notebook(self, text):
        from IPython.display import HTML, display  # only there
        if self.display is None:
            self.display = display(HTML(text), display_id=True)
        else:
            self.display.update(HTML(text))

    def end(self):
        """Removes the bar."""
        if self.display is not None:
            self._in_notebook("")
        if self.is_shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
