"""One page about runs for somebody who has no access to the logs: what is in it, and how it is written."""
