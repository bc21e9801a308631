"""A results folder appears whole or not at all, and takes the place of an older one of ours only.

Work is done in a hidden folder beside the target, so that a rename on the same file system puts it in place.
"""

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import ResultsError

MANIFEST = "manifest.json"
RESULTS, COMPARISON = "gpurush results", "gpurush comparison"
"""What the manifest of a folder of ours says as its ``format``."""


def manifest_of(folder: Path) -> dict[str, Any] | None:
    """The manifest of a folder, or None if it is not one of ours."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    ours = isinstance(found, dict) and found.get("format") in (RESULTS, COMPARISON)
    return found if ours else None


def check(out: str | os.PathLike[str]) -> Path:
    """The target as an absolute path, if a result may stand there.

    Raises:
        ResultsError: it is a file, a folder with other things in it, or cannot be written.
    """
    said = os.fspath(out)
    target = Path(said).expanduser().resolve()
    if target in (here := Path.cwd(), *here.parents):
        raise ResultsError(
            f"{said}: is the folder you are in, or above it; expected one that can be replaced"
        )
    if target.exists() and not target.is_dir():
        raise ResultsError(f"{said}: is a file, expected a folder for results")
    try:
        taken = target.is_dir() and any(target.iterdir())
    except OSError as error:
        raise unwritable(said, error) from None
    if taken and manifest_of(target) is None:
        raise ResultsError(f"{said}: holds files that are not results of gpurush; give another folder")
    return target


def unwritable(said: object, error: OSError) -> ResultsError:
    """The error for a folder that the system refuses."""
    return ResultsError(f"{said}: cannot be written: {error.strerror or error}")


@contextmanager
def replacing(out: str | os.PathLike[str]) -> Iterator[Path]:
    """A working folder that becomes ``out`` when the block ends well, and vanishes when it does not.

    Files in the old folder that a run did not write, such as notes, are kept.

    Raises:
        ResultsError: ``out`` cannot be used (before the block), or cannot be put in place.
    """
    target = check(out)
    made: list[Path] = []
    work = target.with_name(f".{target.name}.{secrets.token_hex(4)}.partial")
    try:
        try:
            for parent in reversed([p for p in target.parents if not p.exists()]):
                parent.mkdir()
                made.append(parent)
            work.mkdir()
        except OSError as error:
            raise unwritable(os.fspath(out), error) from None
        yield work
        try:
            put_in_place(work, target, os.fspath(out))
        except OSError as error:
            raise unwritable(os.fspath(out), error) from None
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        for parent in reversed(made):
            try:
                parent.rmdir()
            except OSError:
                break
        raise


def put_in_place(work: Path, target: Path, said: str) -> None:
    """Renames a complete working folder to its target; the older results there go, once that is done."""
    if not target.exists():
        work.rename(target)
        return
    check(said)
    keep_foreign(target, work)
    old = target.with_name(f".{target.name}.{secrets.token_hex(4)}.old")
    target.rename(old)
    try:
        work.rename(target)
    except BaseException:
        if not target.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def keep_foreign(old: Path, new: Path) -> None:
    """Copies to ``new`` the files of ``old`` that its manifest does not name and no new file is named as."""
    ours = set((manifest_of(old) or {}).get("files", [])) | {MANIFEST}
    for name in files_in(old):
        if name not in ours and not (new / name).exists():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(old / name, new / name)


def files_in(folder: Path) -> list[str]:
    """The files under a folder, as relative paths with ``/``."""
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Writes the manifest, with the list of all files in the folder."""
    manifest["files"] = [name for name in files_in(folder) if name != MANIFEST]
    text = json.dumps(manifest, indent=2, ensure_ascii=False)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
