"""What can go wrong. Every message says what, where, and what to do."""


class Error(Exception):
    """Any failure of bloomery."""


class InvalidError(Error, ValueError):
    """Something was asked for that cannot be."""


class NotFoundError(Error, LookupError):
    """A file, a group or a column that is not there."""


class DamagedError(Error, ValueError):
    """Bytes that were once right."""


class UnsupportedError(Error, ValueError):
    """Right, but not for this version or this kind."""


class MismatchError(Error, ValueError):
    """Two things that do not fit together."""


class ExistsError(Error, FileExistsError):
    """A file would be overwritten."""


class IoError(Error, OSError):
    """The operating system said no."""


class ResourceError(Error, MemoryError):
    """Not enough memory or disk space."""


class SparkError(Error, RuntimeError):
    """A Spark job failed, or could not be started."""
