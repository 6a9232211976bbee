"""Where a copy of a ledger is, on the command line: a file, or a place for objects; and the secret that opens these."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardledger.record.backup.objects.envelope import Objects, read_secret
from cardledger.record.backup.objects.places import ObjectAddress, object_address, place_at


class CopyPlace(click.Path):
    """A file, or an address such as `s3://bucket/club`."""

    def __init__(self, *, dir_okay: bool = True) -> None:
        super().__init__(path_type=Path, dir_okay=dir_okay)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the address or the path; raises StoreError `store.open` for an address that cannot be one."""
        address = object_address(value) if isinstance(value, str) else None
        return address or super().convert(value, param, ctx)


secret_option = click.option(
    "--secret",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Encrypt the objects of a copy in s3:// with the secret in FILE, which opens them again: 64 hexadecimal digits.",
)


def objects_at(address: ObjectAddress, secret: Path | None) -> Objects:
    """Return the objects at an address; raises StoreError `store.open`, `store.secret`."""
    return Objects(place_at(address), read_secret(secret) if secret else None)
