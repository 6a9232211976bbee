"""The commands `cardledger webhook …`: send the events of a served ledger to other programs."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table, tell
from cardledger.record.store.opening import opened
from cardledger.rules.games import games
from cardledger_api.acts.command import noted
from cardledger_api.hooks.hooks import NAME_LENGTH, SEEN, Hooks, shown
from cardledger_api.hooks.sending import tested
from cardledger_api.http.streams import KINDS, TYPES, Filter

if TYPE_CHECKING:
    from cardledger.record.store.address import Where
    from cardledger_api.http.operations import Role
    from cardledger_api.http.streams import Kind

private_option = click.option(
    "--private-webhooks", "private", is_flag=True,
    help="Allow addresses of this computer and its network; the server needs this option too.",
)  # fmt: skip


@click.group()
def webhook() -> None:
    """Manage the webhooks of a ledger: addresses that its server sends events to, signed and in order.

    WEBHOOK is the name of one, or its id. Every server of the ledger sees a change within a second.

    \b
    Examples:
      cardledger webhook create scoreboard https://example.org/cards --type open --type end --db club.db
      cardledger webhook list --db club.db
      cardledger webhook test scoreboard --db club.db
    """


@webhook.command()
@click.argument("name")
@click.argument("url")
@click.option("--role", type=click.Choice(SEEN), default=SEEN[0], show_default=True, help="Whose view is sent.")
@click.option("--game", type=click.Choice([*games()]), metavar="GAME", help="Only matches and evenings of this game.")
@click.option(
    "--type",
    "types",
    type=click.Choice(TYPES),
    multiple=True,
    metavar="TYPE",
    help="Only events of this type; may be repeated.",
)
@click.option("--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only events of these; may be repeated.")
@click.option(
    "--after",
    type=click.IntRange(0, 10**18 - 1),
    metavar="POSITION",
    help="Begin after this position.  [default: with the next event]",
)
@private_option
@json_option("The webhook with its secret.")
@db_option
def create(
    name: str,
    url: str,
    role: Role,
    game: str | None,
    types: tuple[str, ...],
    kinds: tuple[Kind, ...],
    after: int | None,
    private: bool,
    as_json: bool,
    path: Where,
) -> None:
    """Make a webhook and print its secret; it cannot be shown again.

    Events are sent to the address URL from now on, signed with the secret. NAME is yours to choose.

    \b
    Examples:
      cardledger webhook create scoreboard https://example.org/cards --db club.db
      cardledger webhook create desk http://127.0.0.1:9000/ --role scorer --after 0 --private-webhooks --db club.db
    """
    if not 1 <= len(name) <= NAME_LENGTH:
        raise click.BadParameter(f"a name has 1 to {NAME_LENGTH} characters", param_hint="NAME")
    with closing(opened(path, create=False)) as store, closing(Hooks(path, private=private)) as hooks:
        last = store.last_position()
        filter = Filter(game, frozenset(types) or None, frozenset(kinds) or None)
        hook = hooks.add(name, url, role, filter, last if after is None else min(after, last))
    noted(path, "cardledger webhook create", f"{role} {name}")
    click.echo(f"The secret of {name}. Keep it safe: it is not shown again.", err=True)
    if as_json:
        print_json(shown(hook) | {"secret": hook.secret})
    else:
        click.echo(hook.secret)


@webhook.command("list")
@json_option("The answer of GET /webhooks.")
@db_option
def list_command(as_json: bool, path: Where) -> None:
    """List the webhooks, without their secrets.

    \b
    Examples:
      cardledger webhook list --db club.db
    """
    with closing(_hooks(path)) as hooks:
        rows = [shown(hook) for hook in hooks.all()]
    if as_json:
        print_json({"webhooks": rows})
        return
    names = ("name", "state", "position", "failures", "role", "url", "reason")
    print_table(names, [[row[name] for name in names] for row in rows])


@webhook.command()
@click.argument("webhook")
@private_option
@json_option("The answer of POST /webhooks/WEBHOOK/test.")
@db_option
def test(webhook: str, private: bool, as_json: bool, path: Where) -> None:
    """Send a test message, and say how it went.

    It is signed as all are, and has no events. It is sent by this computer, not by the server. Exit status 1 means that
    it was not taken.

    \b
    Examples:
      cardledger webhook test scoreboard --db club.db
    """
    with closing(_hooks(path, private=private)) as hooks:
        hook = hooks.get(webhook)
        at, answer, ms = tested(hooks, hook)
    facts = {"at": at, "status": answer.status, "ms": ms, "error": answer.error}
    tell(as_json, f"{hook.name}: {answer.error or f'status {answer.status}'}, after {ms} ms", **facts)
    if not answer.taken:
        raise SystemExit(1)


@webhook.command()
@click.argument("webhook")
@json_option("The answer of GET /webhooks/WEBHOOK/deliveries.")
@db_option
def deliveries(webhook: str, as_json: bool, path: Where) -> None:
    """List the last hundred deliveries, latest first.

    Each has the positions of its first and last event, and how it went.

    \b
    Examples:
      cardledger webhook deliveries scoreboard --db club.db
    """
    with closing(_hooks(path)) as hooks:
        log = hooks.log(webhook)
    if as_json:
        print_json({"deliveries": [one._asdict() for one in log]})
        return
    print_table(("at", "first", "last", "status", "ms", "error"), log)


@webhook.command()
@click.argument("webhook")
@json_option("The webhook that was deleted.")
@db_option
def delete(webhook: str, as_json: bool, path: Where) -> None:
    """Delete a webhook with its log, and say how far it had come.

    A new one can go on from there with --after.

    \b
    Examples:
      cardledger webhook delete scoreboard --db club.db
    """
    with closing(_hooks(path)) as hooks:
        hook = hooks.remove(webhook)
    noted(path, "cardledger webhook delete", hook.name)
    tell(as_json, f"The webhook {hook.name} is deleted; it had come to position {hook.position}.", **shown(hook))


def _hooks(path: Where, *, private: bool = False) -> Hooks:
    opened(path, create=False).close()  # the webhook of a missing ledger is a slip
    return Hooks(path, private=private)
