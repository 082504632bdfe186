from __future__ import annotations

import hashlib
import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed")


def start(*args: str) -> tuple[subprocess.Popen[str], str]:
    """Start the command; return it and where it says that it serves."""
    command = [str(Path(sys.executable).with_name("candide")), "serve", *args]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    return server, re.search(r"http://\S+", line)[0]


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_the_command_serves_a_model_until_it_is_asked_to_end(model, name):
    server, address = start(model, "--port", "0")
    try:
        assert address.startswith("http://127.0.0.1:")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{address}/health", timeout=30) as answer:
            found = json.load(answer)
        assert found["checksum"] == hashlib.sha256(Path(model).read_bytes()).hexdigest()
        # a request that is under way is answered before the end
        connection = socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])))
        connection.sendall(b"POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{")
        with opener.open(f"{address}/health", timeout=30):
            server.send_signal(getattr(signal, name))
        connection.sendall(b"}")
        assert b"200 OK" in connection.recv(4096)
        connection.close()
    finally:
        out, err = server.communicate(timeout=60)
    assert (server.returncode, err) == (0, "")
    assert out == ""


def test_a_port_that_is_taken(run, model):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "in use: give another --port" in run("serve", model, "--port", port, code=2).stderr


def test_a_host_that_is_not_known(run, model):
    said = run("serve", model, "--host", "no.such.host.invalid", code=2).stderr
    assert said.startswith("candide: no.such.host.invalid: ")


def test_what_is_no_model(run):
    assert "not a Candide model" in run("serve", "requests.csv", code=2).stderr
