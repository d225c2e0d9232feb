#!/usr/bin/env python3
"""model_test.py DUMP_FILTERS: the model must notice one wrong bit, answer or hash in any filter."""
import copy
import json
import subprocess
import sys

from model import complaints

lines = subprocess.run([sys.argv[1]], stdout=subprocess.PIPE, check=True).stdout.splitlines()
assert lines
for case in map(json.loads, lines):
    assert not list(complaints(case))
    wrong_bit = copy.deepcopy(case)
    wrong_bit["table"] = f"{int(case['table'][0], 16) ^ 1:x}" + case["table"][1:]
    assert list(complaints(wrong_bit)) == ["the tables differ"], case["kind"]
    wrong_answer = copy.deepcopy(case)
    wrong_answer["answers"][0] = not case["answers"][0]
    assert list(complaints(wrong_answer)) == ["the answers differ"], case["kind"]
    if case["bits"] > 1:
        wrong_hash = copy.deepcopy(case)
        wrong_hash["inserted_hashes"][0][0] ^= 1 << 63
        assert list(complaints(wrong_hash)), case["kind"]
print(f"{len(lines)} filters")
