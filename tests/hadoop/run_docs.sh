#!/bin/sh
# run_docs.sh PYTHON SOURCE BIN: the blocks of docs/hadoop.md, with the cluster in BLOOMERY_CLUSTER.
exec "$1" "$2/tests/docs/run_blocks.py" "$2/docs/hadoop.md" --path "$3" --path "$BLOOMERY_CLUSTER/bin"
