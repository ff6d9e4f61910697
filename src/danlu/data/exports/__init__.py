"""NFS exports, read by a process for each volume that is all that loads libnfs: it parses what strangers' servers say.

ExportStore ──▶ ExportProcess ──(JSON over a pipe)──▶ worker, as nobody ──(libnfs)──▶ the address that was checked
"""
