"""The web server: uvicorn reads requests in one event loop, and threads run the application.

Terms: a connection *waits* while the server waits for its client: for a request, for the rest of
one, or until the client has read a response. Waiting connections take no thread, and each has a
deadline or a minimum rate (`limits`), so slow and idle clients delay nobody.

uvicorn has no deadline for heads and bodies and no limit by address; `connection` and `bodies` add
them. granian has no deadline for bodies and for connections that never send a byte: a thread waits
in `read()`, and 1,024 idle connections stop it. gunicorn and cheroot read bodies in threads.
waitress has no minimum rate and no limit by address; hypercorn takes 1 ms more for a request.
"""
