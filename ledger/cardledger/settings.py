"""Settings of a server, from options, the environment and a file, and the source of each."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from cardledger.errors import LedgerError

FILE = "cardledger.toml"
"""The settings file that is read if the working directory has it."""
LEDGER = "cardledger.db"
SERVE = "serve"
"""The table of the file with the settings of a server; also the command that has them as options."""
PREFIX = f"CARDLEDGER_{SERVE.upper()}"
"""The prefix of environment variables, before `_` and the setting."""
_FILE, _DB = "cardledger.settings", "cardledger.db"
_KINDS = ((click.types.BoolParamType, bool), (click.types.IntParamType, int), (click.types.FloatParamType, int | float))


def take(ctx: click.Context, given: Path | None) -> None:
    """Give the commands of a context the settings of a file, or of the one in the working directory, if any.

    Raises LedgerError `config.file`, `config.key`, `config.value`.
    """
    path = given or (Path(FILE) if Path(FILE).is_file() else None)
    if path is None:
        return
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError("config.file", f"{path} cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise LedgerError("config.file", f"{path}: {error}") from None
    _known(f"{path}: ", settings, ["db", SERVE])
    db, table = settings.get("db", LEDGER), settings.get(SERVE, {})
    if not isinstance(db, str):
        raise LedgerError("config.value", f"{path}: db must be a string")
    if not isinstance(table, dict):
        raise LedgerError("config.value", f"{path}: {SERVE} must be a table, written [{SERVE}]")
    ctx.meta[_FILE] = path
    if "db" in settings:
        ctx.meta[_DB] = db
    ctx.default_map = {SERVE: table}


def db() -> str:
    """Return the place of the ledger if neither option nor environment gives one."""
    return str(click.get_current_context().meta.get(_DB, LEDGER))


class Setting(NamedTuple):
    """A setting.

    Its key in the file, its value (a list, a text, a number, a bool; None if it is not set), and its source.
    """

    key: str
    value: object
    where: str

    @property
    def written(self) -> str:
        """The value as written in a file; empty if it is not set."""
        if self.value is None:
            return ""
        if isinstance(self.value, list):
            return f"[{', '.join(json.dumps(each, ensure_ascii=False) for each in self.value)}]"
        return json.dumps(self.value, ensure_ascii=False)


class Configured(click.Command):
    """A command whose options are settings of a server.

    A flag overrides the environment, and the environment overrides the file.

    Options that no environment may set, such as `--json` and `--new`, are those of the command alone.
    """

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of the command; raises LedgerError `config.key`, `config.value`."""
        settings = ((parent and parent.default_map) or {}).get(SERVE, {})
        file = parent.meta.get(_FILE) if parent else None
        options = {_key(option): option for option in self._options()}
        keys = [key for key in options if key != "db"]
        _known(f"{file}: {SERVE}.", settings, keys)
        for key, value in settings.items():
            if not _fits(options[key], value):
                raise LedgerError(
                    "config.value",
                    f"{file}: {SERVE}.{key} is {json.dumps(value, default=str)}, which is a value of the wrong kind",
                )
        _known("", [name for name in os.environ if name.startswith(f"{PREFIX}_")], [_variable(key) for key in keys])
        map = {str(options[key].name): value for key, value in settings.items()}
        return super().make_context(info_name, args, parent, auto_envvar_prefix=PREFIX, default_map=map, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an error in a value from the environment or the file names that source."""
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter as error:
            source = ctx.get_parameter_source(error.param.name) if error.param and error.param.name else None
            if not isinstance(error.param, click.Option) or source in (None, ParameterSource.COMMANDLINE):
                raise
            key = _key(error.param)
            place = f"{ctx.meta.get(_FILE)}: {SERVE}.{key}" if source == ParameterSource.DEFAULT_MAP else _variable(key)
            raise LedgerError("config.value", f"{place}: {error.message}") from None

    def settings(self, ctx: click.Context) -> Iterator[Setting]:
        """Yield every setting with its value in a context of the command."""
        for option in self._options():
            yield Setting(_key(option), _plain(ctx.params[str(option.name)]), _source(ctx, option))

    def _options(self) -> list[click.Option]:
        """Return the options that are settings."""
        return [
            option
            for option in self.params
            if isinstance(option, click.Option)
            and option.name != "as_json"
            and (option.allow_from_autoenv or option.envvar)
        ]


def _source(ctx: click.Context, option: click.Option) -> str:
    key, source = _key(option), ctx.get_parameter_source(str(option.name))
    if source == ParameterSource.COMMANDLINE:
        return f"--{key}"
    if source == ParameterSource.ENVIRONMENT:
        return _variable(key)
    if source == ParameterSource.DEFAULT_MAP or (key == "db" and _DB in ctx.meta):
        return str(ctx.meta[_FILE])
    return "default"


def _key(option: click.Option) -> str:
    """Return the name of a setting: its flag without the dashes."""
    return option.opts[0].removeprefix("--")


def _variable(key: str) -> str:
    """Return the environment variable of a setting."""
    return "CARDLEDGER_DB" if key == "db" else f"{PREFIX}_{key.upper().replace('-', '_')}"


def _known(place: str, settings: Any, keys: list[str]) -> None:
    for key in settings:
        if key not in keys:
            near = get_close_matches(key, keys, 1)
            more = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(keys)}"
            raise LedgerError("config.key", f"{place}{key} is not a setting; {more}")


def _fits(option: click.Option, value: object) -> bool:
    """Tell whether a value of the file has the type of a setting; the option itself checks its range."""
    if option.multiple:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    kind = next((kind for type, kind in _KINDS if isinstance(option.type, type)), str)
    return isinstance(value, kind) and isinstance(value, bool) == (kind is bool)


def _plain(value: object) -> object:
    """Return a value as JSON has it; a database address without user and password."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, bool | int | float) else str(value)
