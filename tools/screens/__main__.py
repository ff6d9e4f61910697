"""`./dev screenshots`: takes them all, or those whose name contains a word."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Error, sync_playwright

from tests.e2e.conftest import CHROMIUM, FLAGS
from tools.screens import worlds
from tools.screens.pages import FOR_DOCS, SHOTS, Shot

WIDTHS = {"wide": (1360, 850), "narrow": (768, 1024)}
LANGUAGES = ("en", "zh-CN")
THEMES = ("light", "dark")


def main() -> int:
    options = _options()
    wanted = [shot for shot in SHOTS if not options.words or any(word in shot.name for word in options.words)]
    if not wanted:
        print(f"no page has this name; there are: {', '.join(shot.name for shot in SHOTS)}", file=sys.stderr)
        return 2
    options.out.mkdir(parents=True, exist_ok=True)
    looks = list(product(options.language or LANGUAGES, options.theme or THEMES, options.width or WIDTHS))
    troubles = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name in dict.fromkeys(shot.world for shot in wanted):
            with _world(name) as world:
                for language, theme, width in looks:
                    troubles += _take(browser, world, (language, theme, width), wanted, name, options.out)
        browser.close()
    if options.docs:
        _to_docs(options.out)
    print(f"{options.out}: {len(list(options.out.glob('*.png')))} screenshots, {troubles} problems")
    return 1 if troubles else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev screenshots", description=__doc__)
    parser.add_argument("words", nargs="*", help="only pages whose name contains one of these")
    parser.add_argument("--out", type=Path, default=Path(".dev/screenshots"))
    parser.add_argument("--language", action="append", choices=LANGUAGES)
    parser.add_argument("--theme", action="append", choices=THEMES)
    parser.add_argument("--width", action="append", choices=tuple(WIDTHS))
    parser.add_argument("--docs", action="store_true", help="copy the best into docs/images")
    return parser.parse_args()


@contextlib.contextmanager
def _world(name: str) -> Iterator[worlds.World]:
    with tempfile.TemporaryDirectory(prefix="danlu-screens-") as root:
        make = {"empty": worlds.empty, "full": worlds.full}[name]
        with make(Path(root)) as world:
            yield world


def _take(
    browser: Browser,
    world: worlds.World,
    look: tuple[str, str, str],
    wanted: list[Shot],
    name: str,
    out: Path,
) -> int:
    language, theme, width = look
    columns, rows = WIDTHS[width]
    troubles = 0
    with contextlib.ExitStack() as stack:
        context = browser.new_context(
            locale=language,
            viewport={"width": columns, "height": rows},
            color_scheme="dark" if theme == "dark" else "light",
        )
        stack.callback(context.close)
        context.add_init_script(
            f"localStorage.setItem('danlu.locale', '{language}'); localStorage.setItem('danlu.theme', '{theme}')"
        )
        for signed_in in (False, True):
            if signed_in:
                _sign_in(context, world)
            for shot in wanted:
                if (shot.world, shot.signed_in) == (name, signed_in):
                    troubles += _one(
                        context, world, shot, out / f"{shot.name}.{language}.{theme}.{width}.png"
                    )
    return troubles


def _sign_in(context: BrowserContext, world: worlds.World) -> None:
    """By the form's own request, so that no page has to be right for the others to be seen."""
    answer = context.request.post(
        world.at("/api/v1/session"),
        data={"username": world.name, "password": worlds.PASSWORD},
        headers={"Origin": world.server.url},
    )
    assert answer.ok, answer.text()


def _one(context: BrowserContext, world: worlds.World, shot: Shot, file: Path) -> int:
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    try:
        page.goto(world.at(shot.path))
        page.get_by_role("heading").first.wait_for(timeout=15_000)
        page.wait_for_timeout(700)
        if shot.act:
            shot.act(page)
    except Error as error:
        wrong.append(error.message.splitlines()[0])
    page.screenshot(path=file)
    page.close()
    for trouble in wrong:
        print(f"{file.name}: {trouble}", file=sys.stderr)
    return len(wrong)


def _to_docs(out: Path) -> None:
    images = Path("docs/images")
    images.mkdir(parents=True, exist_ok=True)
    for name, shot in FOR_DOCS.items():
        if (out / f"{shot}.png").exists():
            shutil.copy(out / f"{shot}.png", images / f"{name}.png")


if __name__ == "__main__":
    sys.exit(main())
