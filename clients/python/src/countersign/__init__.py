"""Client of the Countersign HTTP API."""

from . import _api
from ._api import *  # noqa: F403
from ._api import Client
from ._calls import CountersignError, Issue, Page, list_all

__all__ = ["Client", "CountersignError", "Issue", "Page", "list_all"]
__all__ += _api.__all__
