"""Serving: one row a request over HTTP, beside a bare ASGI server that reads the body and sends a text as long.

    python -m benchmarks.serving           needs wrk; ends within two minutes

Both servers are uvicorn with one worker on the loopback, started by the benchmark, and take turns. Nothing else is
asked, and each turn is bounded in time.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.about import about, version_of
from candide import NaiveBayes

RESULTS = Path(__file__).parent / "results"
SECONDS, TURNS = 4, 3
CONNECTIONS = (1, 16)

BARE = """
import sys
import uvicorn

TEXT = sys.stdin.buffer.read()
HEADERS = [(b"content-type", b"application/json"), (b"content-length", str(len(TEXT)).encode())]

async def bare(scope, receive, send):
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": TEXT})

uvicorn.run(bare, port=int(sys.argv[1]), log_level="warning", access_log=False, server_header=False, lifespan="off")
"""


def table(columns=20, rows=5000, seed=0):
    """Return ten columns of levels and ten of numbers, and three classes."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["bike", "car", "truck"], rows)
    shift = np.searchsorted(["bike", "car", "truck"], y)
    frame = {}
    for j in range(columns // 2):
        frame[f"level{j}"] = np.array([f"value {v}" for v in (rng.integers(0, 20, rows) + shift * (j % 3)) % 20])
        frame[f"number{j}"] = rng.normal(size=rows) + shift * rng.random()
    return pd.DataFrame(frame), y


def wait(address):
    """Wait until a server answers."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{address} does not answer")


def spent(process):
    """Return the processor time of a process in seconds."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(server, address, script, connections):
    """Return of one turn requests per second, the median of how long one took (ms), and processor time of each (µs)."""
    begun = spent(server)
    command = ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--latency", "-s", script, address]
    out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS + 30).stdout
    if "Non-2xx" in out:
        raise RuntimeError(out)
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])
    number, unit = re.search(r"50%\s+([\d.]+)(us|ms|s)", out).groups()
    requests = int(re.search(r"(\d+) requests in", out)[1])
    return rate, float(number) * {"us": 1e-3, "ms": 1.0, "s": 1e3}[unit], (spent(server) - begun) / requests * 1e6


def main():
    if shutil.which("wrk") is None:
        sys.exit("wrk is not on this machine")
    X, y = table()
    nb = NaiveBayes().fit(X, y)
    row = json.loads(X.iloc[[0]].to_json(orient="records"))[0]
    with tempfile.TemporaryDirectory() as folder:
        model, script, bare = (Path(folder, name) for name in ("model.json", "post.lua", "bare.py"))
        nb.save(model)
        script.write_text(f"wrk.method = 'POST'\nwrk.body = {json.dumps(json.dumps(row))}\n")
        bare.write_text(BARE)
        servers = []
        try:
            ours = [str(Path(sys.executable).with_name("candide")), "serve", str(model), "--port", "8231"]
            servers.append(subprocess.Popen(ours, stdout=subprocess.DEVNULL))
            wait("http://127.0.0.1:8231/health")
            request = urllib.request.Request("http://127.0.0.1:8231/predict", json.dumps(row).encode())
            with urllib.request.urlopen(request) as answer:
                text = answer.read()
            servers.append(subprocess.Popen([sys.executable, str(bare), "8232"], stdin=subprocess.PIPE))
            servers[1].stdin.write(text)
            servers[1].stdin.close()
            wait("http://127.0.0.1:8232/")
            found = measure(str(script), *servers)
        finally:
            for server in servers:
                server.terminate()
                server.wait(timeout=30)
    write(found, len(json.dumps(row)), len(text))


def measure(script, ours, bare):
    """Return by connections and server the turns of both, one after the other."""
    places = {"bare ASGI": (bare, "http://127.0.0.1:8232/"), "candide serve": (ours, "http://127.0.0.1:8231/predict")}
    found = {}
    for connections in CONNECTIONS:
        for _ in range(TURNS):
            for name, place in places.items():
                found.setdefault((connections, name), []).append(ask(*place, script, connections))
    return found


def write(found, asked, answered):
    """Write what was found as a page."""
    lines = [
        "# Serving one row a request",
        "",
        f"Candide {about()['candide']}, Python {about()['python']}, uvicorn {version_of('uvicorn')} with uvloop.",
        "",
        f"A row of 20 columns (10 of 20 levels, 10 of numbers), 3 classes; {asked} bytes asked, {answered} answered;",
        f"one worker, wrk on the same two cores. The best rate and the median p50 of {TURNS} turns of {SECONDS} s.",
        f"Load average at the end: {os.getloadavg()[0]:.1f}; above 2, others were at work, and the numbers say little.",
        "",
        "| connections | server | requests per second | p50, ms | beside bare | processor, µs each | beside bare |",
        "|---|---|---|---|---|---|---|",
    ]
    for connections in CONNECTIONS:
        plain = [statistics.median(turn) for turn in zip(*found[connections, "bare ASGI"], strict=True)]
        for name in ("bare ASGI", "candide serve"):
            rates, middles, processor = zip(*found[connections, name], strict=True)
            middle, each = statistics.median(middles), statistics.median(processor)
            lines.append(
                f"| {connections} | {name} | {max(rates):,.0f} | {middle:.2f} | {middle / plain[1]:.2f} "
                f"| {each:.0f} | {each / plain[2]:.2f} |"
            )
    text = "\n".join(lines) + "\n"
    (RESULTS / "serving.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
