"""Runs a command; a last line of its output is JSON with its seconds and peak memory."""

import json
import resource
import subprocess
import sys
import time

begin = time.perf_counter()
status = subprocess.run(sys.argv[1:]).returncode
spent = time.perf_counter() - begin
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print(json.dumps({"seconds": spent, "peak_bytes": peak}))
sys.exit(status)
