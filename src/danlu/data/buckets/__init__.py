"""Buckets near the jobs that mount them: what was fetched once is kept for the next, and the least used goes first.

want ──▶ listing ──▶ Plan ──▶ room: what nobody uses leaves ──▶ fetched, several at a time ──▶ content/<volume>/<digest>
                                                                                               │ linked
a task reads ◀── bound read-only ◀───────────────────────── views/<attempt>/<volume and part>/…┘
"""
