"""The event stream: one small process has the connections of all listeners, and reads the journal.

The web server hands each connection over (`deploy.server.handover`), so a listener takes none of
its threads. Here the same WSGI application authenticates and counts the request
(`tournament.views.events`); then the connection waits in an event loop, which takes some kilobytes.

Once a second, and at once when the broker sends a hint, the process reads the heads of the journals
that have listeners (`watcher`), in one query. The lines are read from the database, so neither a
lost hint nor a killed process loses any: a client connects again with the id of its last event.
"""
