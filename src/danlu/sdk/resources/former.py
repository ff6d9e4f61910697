"""Former names of the client's verbs, from before its capabilities had rooms; they still work, with a warning."""

from __future__ import annotations

import warnings
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Callable, Mapping


def _named(thing: str, things: str, room: str, verbs: str = "create edit delete") -> Mapping[str, str]:
    """`project`, `create_project` … of things that have a room with the plain verbs."""
    acts = {f"{verb}_{thing}": f"{room}.{verb}" for verb in verbs.split()}
    return {thing: f"{room}.get", things: f"{room}.list", **acts}


MOVED: Mapping[str, str] = {
    **_named("user", "users", "people"),
    "invite_user": "people.invite",
    "reset_user": "people.reset",
    "edit_users": "people.edit_many",
    **_named("group", "groups", "people.groups"),
    "set_group_members": "people.groups.set_members",
    "keys": "people.keys.list",
    "add_key": "people.keys.create",
    "delete_key": "people.keys.delete",
    "tokens": "people.tokens.list",
    "create_token": "people.tokens.create",
    "delete_token": "people.tokens.delete",
    **_named("project", "projects", "projects"),
    "members": "projects.members",
    "set_member": "projects.set_member",
    "remove_member": "projects.remove_member",
    "enlist": "projects.enlist",
    "standing": "projects.standing",
    "requests": "projects.requests.list",
    "request": "projects.requests.get",
    "join": "projects.requests.join",
    "ask_for_quota": "projects.requests.ask_for_quota",
    "approve": "projects.requests.approve",
    "refuse": "projects.requests.refuse",
    "withdraw": "projects.requests.withdraw",
    **_named("priority", "priorities", "rules.priorities"),
    **_named("pool", "pools", "rules.pools"),
    **_named("limit", "limits", "rules.limits"),
    **_named("quota", "quotas", "quotas", "set edit delete"),
    "set_quotas": "quotas.set_many",
    "raise_quota": "quotas.add_raise",
    "end_raises": "quotas.end_raises",
    "user_quota": "quotas.of_user",
    "group_quota": "quotas.of_group",
    **_named("flavor", "flavors", "flavors"),
    "flavor_offers": "flavors.offers",
    "generate_flavors": "flavors.generate",
    "recommend_flavors": "flavors.recommend",
    "edit_flavors": "flavors.edit_many",
    "delete_flavors": "flavors.delete_many",
    **_named("node", "nodes", "machines.nodes", "edit"),
    "node_events": "machines.nodes.events",
    "move_nodes": "machines.nodes.move",
    "cordon_nodes": "machines.nodes.cordon",
    "drain_nodes": "machines.nodes.drain",
    **_named("cluster", "clusters", "machines.clusters", "create edit delete check"),
    **_named("maintenance", "maintenance", "machines.maintenance", "create edit delete preview"),
    "one_maintenance": "machines.maintenance.get",
    "audit": "audit.list",
    "export_audit": "audit.export",
    "verify_audit": "audit.verify",
    "node_usage": "usage.node",
    "resources": "usage.resources",
    "trends": "usage.trends",
    "trends_table": "usage.trends_table",
}
"""By its former name, where a verb is now."""


def moved(client: object, name: str) -> Callable[..., Any]:
    """The verb of that former name; calling it names the present one."""
    if name not in MOVED:
        raise AttributeError(f"'Client' object has no attribute '{name}'")
    verb: Callable[..., Any] = attrgetter(MOVED[name])(client)

    def call(*args: Any, **keys: Any) -> Any:
        warn(name)
        return verb(*args, **keys)

    return call


def warn(name: str) -> None:
    said = f"client.{name}() is now client.{MOVED[name]}()"
    warnings.warn(said, DeprecationWarning, stacklevel=3)


class Listed:
    """A room whose name was once the verb that lists what is in it."""

    if not TYPE_CHECKING:

        def __call__(self, *args, **keys):
            warn(self.path)
            return self.list(*args, **keys)
