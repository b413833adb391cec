#!/bin/sh
# In place of a ptxas that is too old.
echo "ptxas fatal: Unsupported .version 8.1; current version is '7.0'" >&2
exit 1
