"""Places for objects: a folder (`file://`), the memory of a test, or an object store of any provider through fsspec."""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from cardledger.errors import StoreError
from cardledger.record.backup.snapshot import put
from cardledger.record.proofs.keys import durably, sync_folder
from cardledger.sentence import advising

SCHEMES = {"file": "", "memory": "fsspec", "s3": "s3fs", "gs": "gcsfs", "az": "adlfs"}
"""The kinds of places, and the package that reaches each: in all of them an object appears whole or not at all."""
_NAME = re.compile(r"[a-z]+(?:/[A-Za-z0-9-]+)?")


@dataclass(frozen=True, slots=True)
class ObjectAddress:
    """The address of a place for objects, such as `s3://bucket/club`. It holds no password."""

    url: str

    def __str__(self) -> str:
        return self.url


def object_address(text: str) -> ObjectAddress | None:
    """Return the address in a text, None for a path of a file.

    Raises StoreError `store.open` for a kind of place that is not known, and for an address with a password or options.
    """
    scheme, found, _ = text.partition("://")
    if not found:
        return None
    if scheme not in SCHEMES:
        raise StoreError(
            "store.open", advising(f"there is no place of the kind {scheme}://: use one of {', '.join(SCHEMES)}")
        )
    parts = urlsplit(text)
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise StoreError(
            "store.open",
            advising(
                f"an address {scheme}://… takes no password and no options, which others could read: "
                "put them into the environment, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for s3"
            ),
        )
    if not parts.path.strip("/") and scheme != "s3" or scheme != "file" and not parts.netloc:
        raise StoreError("store.open", advising(f"{text} names no place: write {scheme}://BUCKET/NAME"))
    return ObjectAddress(text.rstrip("/"))


class ObjectPlace(Protocol):
    """Named objects, each whole or not there; all methods raise StoreError `store.write` if the place fails."""

    def names(self, under: str) -> list[str]:
        """Return the names of all objects that begin with `under/`, in their order."""
        ...

    def get(self, name: str) -> bytes | None:
        """Return an object, None if there is none of this name."""
        ...

    def create(self, name: str, content: bytes) -> bool:
        """Write an object under a new name; return False, and write nothing, if there is one already."""
        ...

    def replace(self, name: str, content: bytes) -> None:
        """Write an object, in place of the one of this name."""
        ...


def place_at(address: ObjectAddress) -> ObjectPlace:
    """Return the place at an address; raises StoreError `store.open` if a package is missing that reaches it."""
    parts = urlsplit(address.url)
    if parts.scheme == "file":
        return FolderPlace(Path(unquote(parts.path)))
    try:
        import fsspec  # type: ignore[import-untyped,unused-ignore]

        # Another program writes there too: a list that is remembered would be an old one.
        files = fsspec.filesystem(parts.scheme, use_listings_cache=False)
    except ImportError:
        raise StoreError(
            "store.open",
            advising(
                f"{parts.scheme}:// needs the package {SCHEMES[parts.scheme]}: "
                'pip install "cardledger[objects]", or that package'
            ),
        ) from None
    except Exception as error:  # noqa: BLE001 - each provider has its own errors
        raise _failed(address.url, error) from None
    return RemotePlace(files, address.url.partition("://")[2])


class FolderPlace:
    """Objects in a folder, one file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self, under: str) -> list[str]:
        """Return the names that begin with `under/`; drafts of a killed program are none."""
        try:
            found = [f"{under}/{path.name}" for path in (self._folder / under).iterdir()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _failed(str(self._folder), error) from None
        return sorted(name for name in found if _NAME.fullmatch(name))

    def get(self, name: str) -> bytes | None:
        """Return an object."""
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failed(str(self._folder), error) from None

    def create(self, name: str, content: bytes) -> bool:
        """Write a new object: a draft that is whole and on disk gets the name, which nobody else may have taken."""
        path = self._made(name)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            durably(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), content)
            os.link(draft, path)
            sync_folder(path.parent)
        except FileExistsError:
            return False
        except OSError as error:
            raise _failed(str(self._folder), error) from None
        finally:
            draft.unlink(missing_ok=True)
        return True

    def replace(self, name: str, content: bytes) -> None:
        """Write an object in place of another."""
        put(self._made(name), content)

    def _made(self, name: str) -> Path:
        path = self._folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _failed(str(self._folder), error) from None
        return path


class RemotePlace:
    """Objects in a store that fsspec reaches; a provider takes an object whole, or not at all."""

    def __init__(self, files: Any, root: str) -> None:
        self._files, self._root = files, root

    def names(self, under: str) -> list[str]:
        """Return the names that begin with `under/`."""
        try:
            found = self._files.ls(f"{self._root}/{under}", detail=False, refresh=True)
        except FileNotFoundError:
            return []
        except Exception as error:  # noqa: BLE001 - each provider has its own errors
            raise _failed(self._root, error) from None
        return sorted(name for each in found if _NAME.fullmatch(name := f"{under}/{each.rpartition('/')[2]}"))

    def get(self, name: str) -> bytes | None:
        """Return an object."""
        try:
            content: bytes = self._files.cat_file(f"{self._root}/{name}")
        except FileNotFoundError:
            return None
        except Exception as error:  # noqa: BLE001 - each provider has its own errors
            raise _failed(self._root, error) from None
        return content

    def create(self, name: str, content: bytes) -> bool:
        """Write a new object."""
        try:
            self._files.pipe_file(f"{self._root}/{name}", content, mode="create")
        except FileExistsError:
            return False
        except Exception as error:  # noqa: BLE001 - each provider has its own errors
            if self.get(name) is not None:  # it was there: providers say that in different words
                return False
            raise _failed(self._root, error) from None
        return True

    def replace(self, name: str, content: bytes) -> None:
        """Write an object in place of another."""
        try:
            self._files.pipe_file(f"{self._root}/{name}", content)
        except Exception as error:  # noqa: BLE001 - each provider has its own errors
            raise _failed(self._root, error) from None


def _failed(place: str, error: Exception) -> StoreError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return StoreError(
        "store.write", advising(f"the place {place} cannot be reached: {reason[:300]}; check its name and your access")
    )
