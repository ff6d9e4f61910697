"""The words around the tables on the page about `danlu sim decide`."""

from __future__ import annotations

INTRO = """# danlu sim decide

`danlu sim decide STATE` reads a state (nodes, rules, running and pending jobs), asks the scheduler once, and prints
its plan as JSON. It needs no server and reads no clock: the same file gives the same plan. STATE is JSON or YAML; `-`
is standard input. `--table` prints readable tables instead. `--rounds N` applies each plan (evicted jobs have left,
started jobs run), decides again, and prints `{"rounds": [plan, …], "stable": true}`, where
`stable` says that the last plan changes nothing.

The smallest state has nodes and a job:

```json
{"nodes": [{"name": "n1", "gpus": 8, "gpu": "A100"}], "pending": [{"id": "j1", "resources": {"gpus": 2}}]}
```

An invalid file is refused with exit code 2 and every mistake at its line and column: unknown keys, names that do not
exist, GPUs that do not exist or are used twice. `danlu schema state` prints the JSON Schema.

Examples, in `examples/sim` of the source:

| file | shows |
|---|---|
| `order.yaml` | pins, priority, scores and a ledger, a user's own order |
| `gang.yaml` | all of a gang's minimum or nothing; two roles |
| `models.json` | several GPU models, shares of a card, CPU-only jobs, a total that the scheduler divides |
| `shares.yaml` | weight and guarantee; reclaim of borrowed capacity; closed and not reclaimable projects |
| `preemption.yaml` | priority classes that may preempt or are never preempted; minimum run time |
| `elastic.yaml` | more tasks than the minimum, started when there is capacity and evicted first |
| `backfill.yaml` | the head's reservation, and which jobs may start before it |
| `topology.yaml` | tasks close together, required or preferred |
| `clusters.yaml` | gangs in one cluster, what others than Danlu use, a job that a cluster refused |
| `limits.json` | limits on GPUs and run time, a project's cap |
| `volumes.yaml` | a block volume that is written, who waits for it, and who does not |

## The plan

| key | meaning |
|---|---|
| `now` | the time of the state |
| `starts` | `{job, tasks, after}`: which jobs start where; with `after`, once these jobs have left |
| `growths` | `{job, tasks, after}`: more tasks for running jobs that can use them, once those in `after` have left |
| `evictions` | `{job, tasks, whole, made_for, reason}`: who is evicted for whom; with `whole` false, only these tasks |
| `waiting` | `{job, lane, position, reason, ahead}`: why the other jobs wait; evicted jobs queue again |
| `queue` | the jobs of each lane (`MODEL/class`), in the order of service |
| `scores` | the scores used for the decision, by user and model |

`tasks` are `{task, role, index, node, gpus: [{index, share}]}` and may be put into a state unchanged. A `reason` is
`{code, params, text: {en, zh}}`, as in [reasons](reasons.md). `position` and `ahead` (the ten just before it at
most) refer to the lane in which the job is best placed.

# The state

Times are RFC 3339 (`2026-01-31T12:00:00Z`), milliseconds since 1970, or relative to `now` (`-2h`). Sizes have the units
KiB MiB GiB TiB, durations ms s m h d w. The default rules of Danlu are included (project `public` of weight
1; priority classes `low` 100, `normal` 200 and `high` 300, the last two of which may preempt; pool `default`); a state
may change them.
"""
