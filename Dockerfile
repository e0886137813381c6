# Build: the wheel with the pages of the browser application, from the locked packages.
FROM python:3.13-slim-trixie AS build
WORKDIR /build
COPY requirements/build.txt requirements/runtime.txt requirements/
RUN python -m venv /opt/build && /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements/build.txt
RUN python -m venv /opt/longshore && /opt/longshore/bin/pip install --no-cache-dir --require-hashes -r requirements/runtime.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY web web
COPY src src
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir wheel . \
    && /opt/longshore/bin/pip install --no-cache-dir --no-deps wheel/*.whl

# Run: the virtual environment alone, as a user without rights.
FROM python:3.13-slim-trixie
# pg_dump saves the database before an upgrade; its version must be that of the server or later.
RUN apt-get update \
    && apt-get install --no-install-recommends --yes postgresql-client \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 10001 longshore && install -d -o longshore -g longshore /data
COPY --from=build /opt/longshore /opt/longshore
ENV PATH=/opt/longshore/bin:$PATH \
    LONGSHORE_HOST=0.0.0.0 \
    LONGSHORE_PORT=8080 \
    LONGSHORE_DATA_DIR=/data
USER longshore
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/readyz', timeout=2)"]
CMD ["longshore", "serve"]
