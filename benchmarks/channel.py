"""Messages between the benchmark and its processes: JSON, one a line."""

import json
import os
import sys
from collections.abc import Iterator
from typing import IO, Any

Message = dict[str, Any]


class Channel:
    """Two byte streams, one to read and one to write.

    Every message is answered before the next is sent. So nothing waits in a buffer, and a process may hand its end of
    the channel to a child and take it back.
    """

    def __init__(self, reading: IO[bytes], writing: IO[bytes]) -> None:
        self.reading, self.writing = reading, writing

    @classmethod
    def of_this_process(cls) -> "Channel":
        """Return the channel to whoever started this process; what libraries print goes to standard error instead."""
        writing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        return cls(sys.stdin.buffer, writing)

    def send(self, message: Message) -> None:
        """Write a message."""
        self.writing.write(json.dumps(message).encode() + b"\n")
        self.writing.flush()

    def receive(self) -> Message:
        """Wait for a message; EOFError when the other side has gone."""
        line = self.reading.readline()
        if not line:
            raise EOFError("the process at the other end has gone")
        message: Message = json.loads(line)
        return message

    def messages(self) -> Iterator[Message]:
        """Yield messages until the other side has gone."""
        while line := self.reading.readline():
            yield json.loads(line)
