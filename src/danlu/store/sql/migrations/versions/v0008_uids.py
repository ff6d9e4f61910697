"""A user id of their own for everybody, in the order in which they came."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

FIRST, EACH = 0x7000_0000, 65_536


def upgrade() -> None:
    op.add_column("users", sa.Column("uid", sa.BigInteger))
    users = sa.table("users", sa.column("name"), sa.column("created_at"), sa.column("uid"))
    names = (
        op.get_bind().execute(sa.select(users.c.name).order_by(users.c.created_at, users.c.name)).scalars()
    )
    for number, name in enumerate(names.all()):
        op.execute(users.update().where(users.c.name == name).values(uid=FIRST + EACH * number))
    with op.batch_alter_table("users") as table:
        table.alter_column("uid", nullable=False)
        table.create_unique_constraint("users_uid", ["uid"])
