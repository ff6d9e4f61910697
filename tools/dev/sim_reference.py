"""The words around the tables on the page about `danlu sim decide`."""

from __future__ import annotations

INTRO = """# danlu sim decide

`danlu sim decide STATE` reads a state (nodes, rules, running and pending jobs), asks the scheduler once, and prints
its plan as JSON. It needs no server and reads no clock: the same file gives the same plan. STATE is JSON or YAML; `-`
is standard input. `--table` prints tables for people instead. `--rounds N` applies each plan (whoever had to leave
has left, whoever could start has started), decides again, and prints `{"rounds": [plan, …], "stable": true}`, where
stable says that the last plan changes nothing.

The smallest state has nodes and a job:

```json
{"nodes": [{"name": "n1", "gpus": 8, "gpu": "A100"}], "pending": [{"id": "j1", "resources": {"gpus": 2}}]}
```

A wrong file is refused with exit code 2 and every mistake at its line and column. Files are wrong that use unknown
keys, names that do not exist, or GPUs that are not there or held twice. `danlu schema state` prints the JSON Schema.

Examples, in `examples/sim` of the source:

| file | shows |
|---|---|
| `order.yaml` | pins, priority, scores and a ledger, a user's own order |
| `gang.yaml` | all of a gang's minimum or nothing; two roles |
| `models.json` | several GPU models, shares of a card, CPU-only jobs, a total that the scheduler divides |
| `shares.yaml` | weight and guarantee; lent room taken back; closed and not reclaimable projects |
| `preemption.yaml` | priority classes that may preempt or never give way; minimum run time |
| `elastic.yaml` | more tasks than the minimum, given when there is room and taken back first |
| `backfill.yaml` | the head's reservation, and who may pass it |
| `topology.yaml` | tasks close together, required or preferred |
| `clusters.yaml` | gangs in one cluster, what others than Danlu hold, a job that a cluster refused |
| `limits.json` | limits on GPUs and run time, a project's cap |

## The plan

| key | meaning |
|---|---|
| `now` | the state's moment |
| `starts` | `{job, tasks, after}`: who starts where; with `after`, once these jobs have left (the room is kept) |
| `growths` | `{job, tasks, after}`: more tasks for running jobs that can use them, once those in `after` have left |
| `evictions` | `{job, tasks, whole, made_for, reason}`: who makes room for whom; `whole` false takes only these tasks |
| `waiting` | `{job, lane, position, reason, ahead}`: why everybody else waits; evicted jobs queue again |
| `queue` | who waits in each lane (`MODEL/class`), in the order of service |
| `scores` | the scores the decision went by, by user and model |

`tasks` are `{task, role, index, node, gpus: [{index, share}]}` and may be put into a state as they are. A `reason` is
`{code, params, text: {en, zh}}`, as in [reasons](reasons.md). `position` and `ahead` (the ten just before it at
most) are of the lane in which the job stands best.

# The state

Moments are RFC 3339 (`2026-01-31T12:00:00Z`), milliseconds since 1970, or how long before `now` (`-2h`). Sizes take
KiB MiB GiB TiB, times take ms s m h d w. The rules that every Danlu begins with are there (project `public` of weight
1; priority classes `low` 100, `normal` 200 and `high` 300, the last two of which may preempt; pool `default`); given
again, they are changed in what is said.
"""
